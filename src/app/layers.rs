//! The layers of the level shown: commands about the one that tools work on.

use std::{path::Path, sync::Arc};

use super::{editor::Editor, events::Event, job::Job};
use crate::{
    edit::{Edit, MergeDown, Refusal, copy_layer, free_name, group_layer, merge_down, stepped, ungroup, ungroup_loss},
    editor::{Dialog, Images, Selection},
    io,
    model::{DocPath, Layer, Name, counted_doing, sentence},
    raster::Image,
    refactor::{LayerKind, NewLayer, Request},
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

    /// Have tools work on a layer.
    pub(super) fn work_on(&mut self, doc: &DocPath, layer: Name) {
        let had_cells = self.bench.view.cells.contains_key(doc);
        self.bench.work_on(doc, layer.clone(), self.workspace.project());
        if had_cells && !self.bench.view.cells.contains_key(doc) {
            self.notify(format!("Nothing is selected any more: “{layer}” has cells of another size"));
        }
    }

    /// Select a layer and have tools work on it.
    pub(super) fn take_layer(&mut self, doc: &DocPath, layer: Name) {
        self.work_on(doc, layer.clone());
        self.bench.select(Selection::Layer { doc: doc.clone(), layer });
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

    /// The system's dialog found this picture for the layer that is asked for. One from elsewhere is copied into the project.
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

    /// Copy a layer with all that is on it, in front of it.
    pub(super) fn duplicate_layer(&mut self, doc: &DocPath, layer: &Name) {
        let seed = self.seeds.fresh();
        let Some(level) = self.workspace.project().level(doc) else { return };
        let made = copy_layer((doc, level), layer, seed);
        self.take_made(doc, made, |copy| format!("Duplicate layer {layer} as {copy}"));
    }

    /// Make a layer as one step and work on it; a refusal is shown.
    fn take_made(
        &mut self,
        doc: &DocPath,
        made: Result<(Vec<Edit>, Name), Refusal>,
        label: impl FnOnce(&Name) -> String,
    ) {
        match made {
            Ok((edits, new)) => {
                if self.step(Some(&label(&new)), &edits).is_some() {
                    self.take_layer(doc, new);
                }
            }
            Err(refusal) => self.notify(sentence(&refusal.to_string())),
        }
    }

    /// Put a layer's tiles on the one behind it, which tools work on then.
    pub(super) fn merge_layer_down(&mut self, doc: &DocPath, layer: &Name) {
        let Some(level) = self.workspace.project().level(doc) else { return };
        match merge_down((doc, level), layer) {
            Ok(MergeDown { edits, into, n_covered }) => {
                if self.step(Some(&format!("Merge layer {layer} into {into}")), &edits).is_some() {
                    if n_covered > 0 {
                        let n = counted_doing(n_covered, "tile", ["is", "are"]);
                        self.notify(format!("{n} gone that lay behind others on {into}; undo brings them back"));
                    }
                    self.take_layer(doc, into);
                }
            }
            Err(refusal) => self.notify(sentence(&refusal.to_string())),
        }
    }

    /// Delete a layer. It is a step like any other; since it can hold much, the way back is named.
    pub(super) fn delete_layer(&mut self, doc: &DocPath, layer: &Name) {
        let Some(level) = self.workspace.project().level(doc) else { return };
        let edit = Edit::Remove { doc: doc.clone(), at: level.layer_at(&**layer) };
        let next = level.layer(layer).and_then(|(number, _)| level.next_to(number)).map(|next| next.name.clone());
        if self.step(None, &[edit]).is_some() {
            match next {
                Some(next) => self.take_layer(doc, next),
                None => self.bench.select(Selection::Document(doc.clone())),
            }
            self.notify(format!("Deleted layer {layer} and what was on it; undo brings it back"));
        }
    }

    /// Bring the active layer a step to the front, or to the back: into groups and out of them.
    pub(super) fn move_layer(&mut self, is_forward: bool) {
        self.with_layer(|editor, doc, layer| {
            let level = editor.workspace.project().level(doc);
            let edit = level.and_then(|level| stepped((doc, level), level.layer(layer)?.0, is_forward));
            if let Some(edit) = edit {
                editor.step(None, &[edit]);
            }
        });
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

    /// Put a layer into a new group with a free name, and select the group, to be renamed (F2) at once.
    pub(super) fn group_layer(&mut self, doc: &DocPath, layer: &Name) {
        let Some(level) = self.workspace.project().level(doc) else { return };
        let made = group_layer((doc, level), layer);
        self.take_made(doc, made, |_| format!("Group layer {layer}"));
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

    /// Lock the active layer, or unlock it.
    pub(super) fn lock_layer(&mut self) {
        self.switch_layer("locked", |layer| {
            let verb = if layer.locked { "Unlock" } else { "Lock" };
            (!layer.locked, format!("{verb} layer {}", layer.name))
        });
    }

    /// Lock every layer but one; where they all are, unlock them.
    pub(super) fn lock_other_layers(&mut self, doc: &DocPath, layer: &Name) {
        let Some(level) = self.workspace.project().level(doc) else { return };
        let locked = !level.are_others_locked(layer);
        let set = |other: &Name| Edit::set_at(doc, level.layer_at(&**other).key("locked"), &locked);
        let edits: Vec<Edit> = level.others_to_lock(layer, locked).into_iter().map(set).collect();
        let label = format!("{} all layers but {layer}", if locked { "Lock" } else { "Unlock" });
        self.step(Some(&label), &edits);
    }

    /// Show a layer alone in the window, or again what was shown before.
    pub(super) fn show_alone(&mut self, doc: &DocPath, layer: &Name) {
        if let Some(level) = self.workspace.project().level(doc) {
            self.bench.view.show_alone(doc, level, layer);
        }
    }

    /// Have the game draw the active layer, or no longer. The window goes on showing what its eye says.
    pub(super) fn layer_in_game(&mut self) {
        self.switch_layer("visible", |layer| {
            let verb = if layer.visible { "Hide" } else { "Show" };
            (!layer.visible, format!("{verb} layer {} in the game", layer.name))
        });
    }

    fn switch_layer(&mut self, field: &str, change: impl FnOnce(&Layer) -> (bool, String)) {
        let Some((doc, layer)) = self.bench.active_layer(self.workspace.project()) else { return };
        let Some(level) = self.workspace.project().level(doc) else { return };
        let (is_on, label) = change(layer);
        let edit = Edit::set_at(doc, level.layer_at(&*layer.name).key(field), &is_on);
        self.step(Some(&label), &[edit]);
    }
}
