//! `export` and `render`: what leaves the project.

use std::{cell::RefCell, collections::BTreeMap, fs, sync::Arc};

use camino::Utf8Path;
use serde_json::json;

use super::{
    args::{Overlay, Target},
    needs::Needs,
    path::grid,
    project::{Open, is_absent},
    report::{CommandReport, Failure},
};
use crate::{
    io::{
        self,
        export::{self, ExportError, Format},
        files,
    },
    model::{DocPath, LayerContent, Level, Link, LinkBy, Severity, ValueSet, counted},
    raster::{Image, Placed, Scene},
    sim::{
        EntityView, Input, Options, World,
        camera::{CameraConstants, CameraSet, CameraView, placed_cameras},
        nav,
    },
};

/// Behind levels.
const BACKGROUND: [u8; 4] = [24, 26, 31, 255];

/// What of a level is drawn, and how large.
pub(super) struct Picture<'a> {
    /// Pixels for one of the level.
    pub scale: f64,
    /// Whether what nothing covers is transparent.
    pub is_transparent: bool,
    /// The id of the camera through which it is seen.
    pub camera: Option<&'a str>,
    /// Drawn over it.
    pub overlays: &'a [Overlay],
    /// How long the level runs first.
    pub secs: Option<f64>,
}

/// `export PROJECT --out DIR --target …`
pub(super) fn export(open: &Open, out: &Utf8Path, targets: &[Target]) -> Result<CommandReport, Failure> {
    let mut formats = Vec::new();
    for target in targets {
        let format = match target {
            Target::Json => Format::Json,
            Target::Ron => Format::Ron,
            Target::Pack | Target::Tmx | Target::Tmj | Target::Ldtk => {
                return Err(Failure::new(format!(
                    "{target:?} exports are not in this version; there are json and ron"
                )));
            }
        };
        if !formats.contains(&format) {
            formats.push(format);
        }
    }
    if out.exists() && !out.is_dir() {
        return Err(Failure::new(format!("`{out}` is a file; name a folder")));
    }
    open.may_be_changed()?;
    let mut report = CommandReport { problems: open.problems(), ..CommandReport::default() };
    let listed = report.problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    let n_errors = listed + open.n_left_out(Severity::Error);
    if n_errors > 0 {
        report.failed = true;
        report.notes.push(format!("nothing was exported: {}", counted(n_errors, "error")));
        report.json = json!({ "files": [], "errors": n_errors });
        return Ok(report);
    }
    let links = |doc: &DocPath, layer: usize, each: &mut dyn FnMut(Link) -> bool| {
        let Some(level) = open.project.level(doc) else { return };
        let Some(graph) = level.nth_layer(layer).and_then(|layer| layer.waypoints()) else { return };
        nav::each_link_by_name(graph, &grid(open, level), each);
    };
    let made = formats.into_iter().map(|format| export::export(&open.project, &open.resolution, &links, format));
    let written = made
        .collect::<Result<Vec<_>, _>>()
        .and_then(|made| export::write(&made, &open.root, out.as_std_path(), &open.log()));
    let written = written.map_err(|why| match why {
        ExportError::Write(file, why) => Failure::problem(format!("cannot write `{out}/{file}`: {why}")),
        ExportError::Inside(_) => Failure::new(why.to_string()),
        why => Failure::problem(why.to_string()),
    })?;
    for file in &written.files {
        report.line(format!("{out}/{file}"));
    }
    report.notes.extend(written.unrecorded.map(|why| why.to_string()));
    report.json = json!({ "files": written.files });
    Ok(report)
}

/// `render PROJECT LEVEL OUT.png …`
pub(super) fn render(
    open: &Open,
    level: &str,
    out: &Utf8Path,
    picture: &Picture<'_>,
) -> Result<CommandReport, Failure> {
    let &Picture { mut scale, is_transparent, camera, overlays, secs } = picture;
    let (name, doc) = open.level(level)?;
    let level = open.project.level(&doc).ok_or_else(|| Failure::problem(format!("`{name}` cannot be read")))?;
    let mut report = CommandReport::default();
    let sheets = Sheets { open, known: RefCell::default(), unread: RefCell::default() };
    let mut needs = Needs::new(open);
    needs.document(&doc);
    needs.picture(level);
    let resolved = |id: &crate::model::Name, instance: &crate::model::Instance| {
        let layer = level.entity(id)?.0;
        Some(Arc::new(open.resolution.instance(&doc, &level.layer_at(layer), id, instance).0))
    };
    let shown_at = secs.unwrap_or(0.0);
    let mut scene =
        Scene::of_level(&open.project, &open.resolution, level, &resolved, &|path| sheets.get(path), shown_at);
    let mut cameras = CameraSet::default();
    if let Some(id) = camera {
        let constants = CameraConstants::of(&open.resolution, &ValueSet::new());
        cameras.follow(&placed_cameras(&open.resolution, (&doc, level), &constants), constants.picture, 0.0);
        seen_by(&cameras, id)?;
    }
    if let Some(secs) = secs {
        let world = World::compile(&open.project, &open.resolution, &name, Options::default());
        let mut world = world.map_err(|_| Failure::problem(format!("`{name}` cannot run")))?;
        needs.run(&doc, &world);
        while world.time_secs() < secs {
            world.step(&Input::NONE);
            world.drain_events().iter().for_each(|event| needs.event(event));
            if camera.is_some() {
                cameras.follow(&world.cameras(1.0), world.constants().camera.picture, world.time_secs());
            }
        }
        needs.entities(&world);
        place_running(&mut scene, level, &world, &sheets);
    }
    for overlay in overlays {
        match overlay {
            Overlay::Grid => scene.grid = true,
            Overlay::Colliders => scene.colliders = true,
            Overlay::Values => scene.values = true,
            Overlay::Links => {
                needs.ground(level);
                add_links(&mut scene, open, level);
            }
        }
    }
    if let Some(id) = camera {
        let view = seen_by(&cameras, id)?;
        scene.look_through(view.center.to_array(), view.size.to_array());
        scale *= view.zoom;
    }
    if is_transparent {
        scene.background = None;
    }
    let ground = if is_transparent { [0; 4] } else { BACKGROUND };
    let image = scene.render(scale, ground, shown_at).map_err(|err| Failure::new(err.to_string()))?;
    let bytes = image.to_png().map_err(|err| Failure::new(err.to_string()))?;
    for (path, why) in sheets.unread.take() {
        needs.image(&path, &why);
    }
    report.problems = needs.problems();
    needs.add_to(&mut report);
    needs.count_others(&mut report);
    write_picture(out, &bytes).map_err(|err| Failure::problem(format!("cannot write `{out}`: {err}")))?;
    report.line(format!("{out}: {} × {} pixels", image.width(), image.height()));
    report.json = json!({ "file": out, "width": image.width(), "height": image.height() });
    Ok(report)
}

/// What the camera of an id shows.
fn seen_by<'a>(cameras: &'a CameraSet, id: &str) -> Result<&'a CameraView, Failure> {
    let view = cameras.views().iter().find(|view| *view.id == *id);
    view.ok_or_else(|| {
        let placed: Vec<&str> = cameras.views().iter().filter(|it| it.is_placed()).map(|it| &*it.id).collect();
        let there = match placed.as_slice() {
            [] => "none is placed, --camera \"\" is the one that the constants make".to_owned(),
            ids => format!("it has {}", ids.join(", ")),
        };
        Failure::new(format!("the level has no camera `{id}`: {there}"))
    })
}

/// Write a file that the user named, wholly or not at all.
fn write_picture(out: &Utf8Path, bytes: &[u8]) -> std::io::Result<()> {
    // What is no file, a pipe say, can only be written into; and no folder is made for a picture.
    let is_folder_there = out.parent().is_none_or(|folder| folder.as_str().is_empty() || folder.is_dir());
    let is_file = fs::metadata(out).map_or_else(|why| is_absent(&why), |meta| meta.is_file());
    if is_folder_there && is_file { io::write(out.as_std_path(), bytes) } else { fs::write(out, bytes) }
}

/// The project's images, each read once.
struct Sheets<'a> {
    open: &'a Open,
    known: RefCell<BTreeMap<String, Option<Arc<Image>>>>,
    /// Those that cannot be read, and why.
    unread: RefCell<BTreeMap<String, Arc<str>>>,
}

impl Sheets<'_> {
    fn get(&self, path: &str) -> Option<Arc<Image>> {
        let read = || {
            // What names no image shows none.
            let doc = DocPath::new(path)?;
            match Image::of_file(files::read_bytes(&self.open.root, &doc)) {
                Ok(image) => Some(Arc::new(image)),
                Err(why) => {
                    self.unread.borrow_mut().insert(path.to_owned(), why);
                    None
                }
            }
        };
        self.known.borrow_mut().entry(path.to_owned()).or_insert_with(read).clone()
    }
}

/// Replace the entities of the level's file by those of a running world.
fn place_running(scene: &mut Scene, level: &Level, world: &World, sheets: &Sheets<'_>) {
    // The scene has the visible layers only.
    let visible: Vec<usize> =
        level.looks().iter().enumerate().filter(|(_, (_, look))| look.visible).map(|(i, _)| i).collect();
    scene.layers.iter_mut().for_each(|layer| layer.placed.clear());
    for view in world.entities().filter(|view| view.alive) {
        let Some(layer) = visible.iter().position(|i| *i == view.layer) else { continue };
        if let Some(layer) = scene.layers.get_mut(layer) {
            layer.placed.push(running(&view, sheets));
        }
    }
}

fn running(view: &EntityView<'_>, sheets: &Sheets<'_>) -> Placed {
    let at = [f64::from(view.pos.x), f64::from(view.pos.y)];
    Placed::new(at, f64::from(view.angle), view.sprite.clone(), view.parts, &|path| sheets.get(path))
}

fn add_links(scene: &mut Scene, open: &Open, level: &Level) {
    let solid = grid(open, level);
    for layer in level.all_layers() {
        let LayerContent::Waypoints(graph) = &layer.content else { continue };
        let at = |index: usize| graph.nodes.get_index(index).map(|(_, node)| node.at);
        scene.nodes.extend(graph.nodes.values().map(|node| node.at));
        for link in nav::links(graph, &solid) {
            if let (Some(from), Some(to)) = (at(link.from), at(link.to)) {
                scene.links.push((from, to, link.by));
            }
        }
        for link in graph.links.iter().filter(|link| link.by == LinkBy::Broken) {
            if let (Some(from), Some(to)) = (graph.nodes.get(&link.from), graph.nodes.get(&link.to)) {
                scene.links.push((from.at, to.at, LinkBy::Broken));
            }
        }
    }
}
