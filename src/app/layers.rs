//! The layers of the level shown: commands about the one that tools work on.

use std::{path::Path, sync::Arc};

use super::{editor::Editor, events::Event, job::Job};
use crate::{
    edit::{
        Edit, MergeDown, Refusal, copy_layers, free_name, merge_down, n_covered, set_in_layers, stepped, ungroup,
        ungroup_loss,
    },
    editor::{Dialog, Images, LayerPick, Selection},
    io,
    model::{DocPath, Layer, Name, Project, counted, counted_doing, sentence},
    raster::Image,
    refactor::{LayerCells, LayerKind, NewLayer, Request},
};

/// The folder that pictures of layers are copied to.
const FOLDER: &str = "images/";

/// Read the picture at a path, and copy it into the project unless it is there.
fn brought_in(root: &Path, path: &str, images: &Images) -> Result<(DocPath, Arc<Image>, bool), String> {
    let picture = io::read_picture(root, Path::new(path))?;
    let image = Arc::new(Image::from_png(&picture.bytes).map_err(|why| why.to_string())?);
    if let Some(place) = picture.inside {
        return Ok((place, image, false));
    }
    let stem = Path::new(path).file_stem().map(|stem| stem.to_string_lossy().replace(' ', "_")).unwrap_or_default();
    let of = |name: &str| format!("{FOLDER}{name}.png");
    let place = of(&free_name(&stem, |name| images.contains_key(&of(name))));
    let place = DocPath::new(&place).ok_or_else(|| format!("`{place}` is no path for a file of the project"))?;
    io::add_picture(root, &place, &picture.bytes)?;
    Ok((place, image, true))
}

impl Editor {
    /// Do something with the active layer.
    pub(super) fn with_layer(&mut self, act: impl FnOnce(&mut Self, &DocPath, &Name)) {
        let active = self.bench.active_layer(self.workspace.project());
        if let Some((doc, layer)) = active.map(|(doc, layer)| (doc.clone(), layer.name.clone())) {
            act(self, &doc, &layer);
        }
    }

    /// Do something with the selected layers, the active one among them.
    pub(super) fn with_layers(&mut self, act: impl FnOnce(&mut Self, &DocPath, &[Name])) {
        self.with_layer(|editor, doc, layer| {
            let layers = editor.layers_with(doc, layer);
            act(editor, doc, &layers);
        });
    }

    /// The layers that are selected with a layer.
    pub(super) fn layers_with(&self, doc: &DocPath, layer: &Name) -> Vec<Name> {
        let level = self.workspace.project().level(doc);
        level.map(|level| self.bench.view.layers_with(doc, level, layer)).unwrap_or_default()
    }

    /// Have tools work on a layer.
    pub(super) fn work_on(&mut self, doc: &DocPath, layer: Name) {
        let had_cells = self.bench.view.cells.contains_key(doc);
        self.bench.work_on(doc, layer.clone(), self.workspace.project());
        if had_cells && !self.bench.view.cells.contains_key(doc) {
            self.notify(format!("Nothing is selected any more: “{layer}” has cells of another size"));
        }
    }

    /// Select a layer alone and have tools work on it.
    pub(super) fn take_layer(&mut self, doc: &DocPath, layer: Name) {
        self.take_layers(doc, vec![layer.clone()], layer);
    }

    /// Select layers and have tools work on one of them.
    fn take_layers(&mut self, doc: &DocPath, layers: Vec<Name>, active: Name) {
        self.bench.view.picked_layers.insert(doc.clone(), layers);
        self.work_on(doc, active.clone());
        self.bench.select(Selection::Layer { doc: doc.clone(), layer: active });
    }

    /// Select a layer alone, besides others, or with all between.
    pub(super) fn pick_layer(&mut self, doc: &DocPath, layer: &Name, pick: LayerPick) {
        let Some(level) = self.workspace.project().level(doc) else { return };
        let (layers, active) = self.bench.view.picked(doc, level, layer, pick);
        self.take_layers(doc, layers, active);
    }

    /// Ask for the kind and name of a new layer, to stand in front of the active one.
    pub(super) fn ask_new_layer(&mut self) {
        let project = self.workspace.project();
        let Some(doc) = self.bench.view.level.clone() else { return };
        let Some(level) = project.level(&doc) else { return };
        let active = self.bench.active_layer(project).map(|(_, layer)| layer.name.clone());
        let tileset = self.bench.view.tilesets(project).into_iter().next();
        let new = NewLayer::new((&doc, level), tileset, active);
        self.ask_for(Request::NewLayer(new));
    }

    /// Whether the dialog asks for the image of a new layer.
    pub(super) fn asks_for_image(&self) -> bool {
        let draft = self.bench.draft.as_ref().filter(|_| self.bench.dialog == Some(Dialog::Refactor));
        draft.is_some_and(|draft| matches!(&draft.request, Request::NewLayer(new) if new.kind == LayerKind::Image))
    }

    /// The system's dialog found this picture for the layer that is asked for. One from elsewhere is copied into the
    /// project.
    pub(super) fn layer_image_chosen(&mut self, path: Option<String>) {
        let Some((path, root)) = path.zip(self.workspace.root().map(Path::to_path_buf)) else { return };
        let images = Arc::clone(self.derived.images());
        self.jobs.spawn(Job::LayerImage, move || Event::LayerImage(brought_in(&root, &path, &images)));
    }

    /// The picture is in the project, or not.
    pub(super) fn layer_image_found(&mut self, result: Result<(DocPath, Arc<Image>, bool), String>) {
        let (place, image, is_copied) = match result {
            Ok(found) => found,
            Err(why) => {
                self.notify(sentence(&why));
                return;
            }
        };
        // The watcher finds it too, a moment later; without one this is the only word of it.
        self.derived.take_images([(place.to_string(), Some(Ok(image)))].into());
        if is_copied {
            self.notify(format!("Copied the picture to {place}"));
        }
        let asked = self.bench.draft.as_ref().map(|draft| draft.request.clone());
        if let Some(Request::NewLayer(new)) = asked {
            self.ask_otherwise(Request::NewLayer(NewLayer { image: Some(place.as_str().into()), ..new }));
        }
    }

    /// Copy layers with all that is on them, each in front of its own.
    pub(super) fn duplicate_layers(&mut self, doc: &DocPath, layers: &[Name]) {
        let seed = self.seeds.fresh();
        let made = copy_layers(self.workspace.project(), doc, layers, seed);
        let Some((edits, copies)) = self.or_notice(made) else { return };
        let Some(last) = copies.last().cloned() else { return };
        let label = match layers {
            [layer] => format!("Duplicate layer {layer} as {last}"),
            many => format!("Duplicate {}", counted(many.len(), "layer")),
        };
        if self.step(Some(&label), &edits).is_some() {
            self.take_layers(doc, copies, last);
        }
    }

    /// What was planned, or nothing and a notice that says why not.
    fn or_notice<T>(&mut self, planned: Result<T, Refusal>) -> Option<T> {
        planned.map_err(|refusal| self.notify(sentence(&refusal.to_string()))).ok()
    }

    /// Put layers' tiles on the one of them that is behind the others, or one's on the one behind it. Tools work on
    /// that then.
    pub(super) fn merge_layers(&mut self, doc: &DocPath, layers: &[Name]) {
        let Some(level) = self.workspace.project().level(doc) else { return };
        let Some(MergeDown { into, .. }) = self.or_notice(merge_down((doc, level), layers)) else {
            return;
        };
        let label = match layers {
            [layer] => format!("Merge layer {layer} into {into}"),
            many => format!("Merge {} into {into}", counted(many.len(), "layer")),
        };
        let (doc, layers, step) = (doc.clone(), layers.to_vec(), label.clone());
        let (of, merged) = (doc.clone(), layers.clone());
        let plan = Arc::new(move |project: &Project| {
            let level = project.level(&of).ok_or_else(|| Refusal::new(format!("there is no level {}", of.stem())))?;
            merge_down((&of, level), &merged).map(|merge| merge.edits)
        });
        self.make(&label, plan, move |editor, edits| {
            let before = editor.workspace.project().clone();
            if editor.step(Some(&step), edits).is_none() {
                return;
            }
            let (of, back) = (doc.clone(), into.clone());
            editor.notify_counted(
                move || before.level(&of).map_or(0, |level| n_covered(level, &layers)),
                move |n| {
                    let n = counted_doing(n, "tile", ["is", "are"]);
                    format!("{n} gone that lay behind others on {back}; undo brings them back")
                },
            );
            editor.take_layer(&doc, into);
        });
    }

    /// Delete layers. It is a step like any other; since they can hold much, the way back is named.
    pub(super) fn delete_layers(&mut self, doc: &DocPath, layers: &[Name]) {
        let Some(level) = self.workspace.project().level(doc) else { return };
        let outermost = level.outermost(layers).into_iter().filter_map(|number| level.nth_layer(number));
        let remove = |layer: &Arc<Layer>| Edit::Remove { doc: doc.clone(), at: level.layer_at(&*layer.name) };
        let edits: Vec<Edit> = outermost.map(remove).collect();
        let next = level.next_to(layers).map(|next| next.name.clone());
        let n = counted(layers.len(), "layer");
        let label = (layers.len() > 1).then(|| format!("Delete {n}"));
        if self.step(label.as_deref(), &edits).is_some() {
            match next {
                Some(next) => self.take_layer(doc, next),
                None => self.bench.select(Selection::Document(doc.clone())),
            }
            self.notify(match layers {
                [layer] => format!("Deleted layer {layer} and what was on it; undo brings it back"),
                _ => format!("Deleted {n} and what was on them; undo brings them back"),
            });
        }
    }

    /// Bring layers a step to the front, or to the back: into groups and out of them.
    pub(super) fn move_layers(&mut self, doc: &DocPath, layers: &[Name], is_forward: bool) {
        let Some(level) = self.workspace.project().level(doc) else { return };
        let edits = stepped((doc, level), layers, is_forward);
        let label = (edits.len() > 1).then(|| format!("Move {}", counted(edits.len(), "layer")));
        self.step(label.as_deref(), &edits);
    }

    /// Work on the layer so many in front of the active one.
    pub(super) fn work_on_next_layer(&mut self, by: isize) {
        let Some(doc) = self.bench.view.level.clone() else { return };
        let Some(level) = self.workspace.project().level(&doc) else { return };
        let at = self.bench.view.active_layer_of(&doc, level).and_then(|at| at.checked_add_signed(by));
        if let Some(layer) = at.and_then(|at| level.nth_layer(at)) {
            let name = layer.name.clone();
            self.notify(format!("Layer {name}"));
            self.take_layer(&doc, name);
        }
    }

    /// Ask for the name of a new group that layers are put into.
    pub(super) fn ask_group(&mut self, doc: &DocPath, layers: &[Name]) {
        if let Some(level) = self.workspace.project().level(doc) {
            self.ask_for(Request::NewLayer(NewLayer::around((doc, level), layers.to_vec())));
        }
    }

    /// Ask for another size of a layer's cells.
    pub(super) fn ask_layer_cells(&mut self, doc: &DocPath, layer: &Name) {
        let level = self.workspace.project().level(doc);
        if let Some((level, (_, layer))) = level.and_then(|level| Some((level, level.layer(layer)?))) {
            self.ask_for(Request::LayerCells(LayerCells::new((doc, level), layer)));
        }
    }

    /// Take the active group apart. Tools work on the front one of its layers then.
    pub(super) fn ungroup_layers(&mut self, doc: &DocPath, group: &Name) {
        let Some(level) = self.workspace.project().level(doc) else { return };
        let front = level.layer(group).and_then(|(_, it)| it.children().last()).map(|layer| layer.name.clone());
        let loss = ungroup_loss(level, group);
        match ungroup((doc, level), group) {
            Ok(edits) => {
                let done = self.step(Some(&format!("Ungroup {group}")), &edits).is_some();
                if let (true, Some(front)) = (done, front) {
                    self.take_layer(doc, front);
                }
                if let (true, Some(loss)) = (done, loss) {
                    self.notify(loss);
                }
            }
            Err(refusal) => self.notify(sentence(&refusal.to_string())),
        }
    }

    /// Hide what is in the active group, or in the group of the active layer, in the Layers pane, or list it again.
    pub(super) fn fold_group(&mut self, doc: &DocPath, layer: &Name) {
        let Some(level) = self.workspace.project().level(doc) else { return };
        let Some((number, it)) = level.layer(layer) else { return };
        let group = if it.is_group() { Some(it) } else { level.group_of(number) };
        if let Some(group) = group.map(|group| group.name.clone()) {
            let is_folded = !self.bench.view.is_folded(doc, &group);
            self.bench.view.fold(doc, &group, is_folded);
            self.take_layer(doc, group);
        }
    }

    /// Lock layers, or unlock them where the active one is locked.
    pub(super) fn lock_layers(&mut self, doc: &DocPath, layers: &[Name]) {
        self.switch_layers(
            (doc, layers),
            "locked",
            |layer| layer.locked,
            |is_on, layers| format!("{} {layers}", if is_on { "Lock" } else { "Unlock" }),
        );
    }

    /// Lock every layer but one; where they all are, unlock them.
    pub(super) fn lock_other_layers(&mut self, doc: &DocPath, layer: &Name) {
        let Some(level) = self.workspace.project().level(doc) else { return };
        let locked = !level.are_others_locked(layer);
        let others: Vec<Name> = level.others_to_lock(layer, locked).into_iter().cloned().collect();
        let edits = set_in_layers((doc, level), &others, "locked", &locked);
        let label = format!("{} all layers but {layer}", if locked { "Lock" } else { "Unlock" });
        self.step(Some(&label), &edits);
    }

    /// Show a layer alone in the window, or again what was shown before.
    pub(super) fn show_alone(&mut self, doc: &DocPath, layer: &Name) {
        if let Some(level) = self.workspace.project().level(doc) {
            self.bench.view.show_alone(doc, level, layer);
        }
    }

    /// Have the game draw layers, or no longer. The window goes on showing what their eyes say.
    pub(super) fn layers_in_game(&mut self, doc: &DocPath, layers: &[Name]) {
        self.switch_layers(
            (doc, layers),
            "visible",
            |layer| layer.visible,
            |is_on, layers| format!("{} {layers} in the game", if is_on { "Show" } else { "Hide" }),
        );
    }

    /// Give a switch of layers the value that the active one does not have.
    fn switch_layers(
        &mut self,
        (doc, layers): (&DocPath, &[Name]),
        field: &str,
        is_on: impl Fn(&Layer) -> bool,
        label: impl FnOnce(bool, &str) -> String,
    ) {
        let Some((_, active)) = self.bench.active_layer(self.workspace.project()) else { return };
        let Some(level) = self.workspace.project().level(doc) else { return };
        let is_on = !is_on(active);
        let label = match layers {
            [layer] => label(is_on, &format!("layer {layer}")),
            many => label(is_on, &counted(many.len(), "layer")),
        };
        let edits = set_in_layers((doc, level), layers, field, &is_on);
        self.step(Some(&label), &edits);
    }
}
