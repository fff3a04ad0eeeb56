//! Making a tileset of a picture: the form is opened, the picture read and copied in jobs, and the tileset put into the
//! project.

use std::path::Path;

use super::{editor::Editor, events::Event, job::Job};
use crate::{
    editor::{Dialog, NewTileset, Selection, SheetPicture, TilesByCell, TilesetForm, TilesetPlan, usual_tile_size},
    io,
    model::{DocPath, sentence},
    raster::{Image, SheetGrid},
    refactor::new_tiles,
};

/// Read and decode the picture at a path, and guess its grid.
fn sheet(root: &Path, path: &str, usual: [u32; 2]) -> Result<SheetPicture, String> {
    let picture = io::read_picture(root, Path::new(path))?;
    let image = Image::from_png(&picture.bytes).map_err(|why| why.to_string())?;
    let guess = SheetGrid::guess(&image, usual);
    Ok(SheetPicture { image: image.into(), bytes: picture.bytes.into(), inside: picture.inside, guess })
}

impl Editor {
    /// Open the form on the picture at a path, which may be empty; where it is open, its path is another one now.
    pub(super) fn ask_tileset(&mut self, path: String) {
        self.end_gesture();
        let open = self.bench.new_tileset.as_mut().filter(|_| self.bench.dialog == Some(Dialog::NewTileset));
        if let Some(new) = open {
            if new.is_adding {
                return;
            }
            new.change(TilesetForm { path, ..new.form().clone() });
        } else {
            let usual = usual_tile_size(self.workspace.project(), self.bench.view.level.as_ref());
            self.bench.dialog = Some(Dialog::NewTileset);
            self.bench.new_tileset = Some(NewTileset::new(path, usual));
        }
        self.read_picture();
    }

    /// The form says this now.
    pub(super) fn tileset_form(&mut self, form: TilesetForm) {
        if let Some(new) = self.bench.new_tileset.as_mut().filter(|new| !new.is_adding) {
            new.change(form);
            self.read_picture();
        }
    }

    /// The system's dialog found this picture.
    pub(super) fn picture_chosen(&mut self, path: Option<String>) {
        let is_open = self.bench.dialog == Some(Dialog::NewTileset);
        if let Some(path) = path.filter(|_| is_open) {
            self.ask_tileset(path);
        }
    }

    /// Read the picture that the form names in a job, unless one is at it. A form that was left is forgotten.
    pub(super) fn read_picture(&mut self) {
        if self.bench.dialog != Some(Dialog::NewTileset) {
            self.bench.new_tileset = None;
            return;
        }
        let of = self.bench.new_tileset.as_ref().and_then(NewTileset::unread).map(str::to_owned);
        let Some((of, root)) = of.zip(self.workspace.root()).filter(|_| !self.is_reading_picture) else { return };
        self.is_reading_picture = true;
        let root = root.to_owned();
        let usual = usual_tile_size(self.workspace.project(), self.bench.view.level.as_ref());
        self.jobs.spawn(Job::ReadPicture, move || {
            let result = sheet(&root, &of, usual);
            Event::PictureRead { of, result }
        });
    }

    /// A job read a picture. If the form names another by now, that is next.
    pub(super) fn picture_read(&mut self, of: String, result: Result<SheetPicture, String>) {
        self.is_reading_picture = false;
        if let Some(new) = &mut self.bench.new_tileset {
            new.take_picture(of, result, self.workspace.project());
        }
    }

    /// The job panicked: the picture is not read again before another one is named.
    pub(super) fn reading_picture_failed(&mut self) {
        let of = self.bench.new_tileset.as_ref().and_then(NewTileset::unread).map(str::to_owned);
        if let Some(of) = of {
            self.picture_read(of, Err("this picture cannot be read".to_owned()));
        }
        self.is_reading_picture = false;
    }

    /// Make the tileset that the form describes; a picture from elsewhere is copied first. The form stays open until
    /// then.
    pub(super) fn make_tileset(&mut self) {
        if self.is_refused_while_opening() {
            return;
        }
        let Some(new) = self.bench.new_tileset.as_mut().filter(|new| !new.is_adding) else { return };
        self.bench.dialog = Some(Dialog::NewTileset);
        let plan = match new.plan(self.workspace.project(), self.derived.images()) {
            Ok(plan) => plan,
            Err(refusal) => {
                self.notify(sentence(&refusal.to_string()));
                return;
            }
        };
        let Some((bytes, root)) = plan.copied.clone().zip(self.workspace.root()) else {
            self.put_tileset(plan);
            return;
        };
        new.is_adding = true;
        let root = root.to_owned();
        self.jobs.spawn(Job::AddPicture, move || {
            let result = io::add_picture(&root, &plan.place, &bytes);
            Event::PictureAdded { plan: Box::new(plan), result }
        });
    }

    /// The picture was copied, or not.
    pub(super) fn picture_added(&mut self, plan: TilesetPlan, result: Result<(), String>) {
        // The form may be another by now.
        match (self.bench.new_tileset.as_mut().filter(|new| new.is_adding), result) {
            (Some(new), Err(why)) => {
                new.is_adding = false;
                new.failure = Some(sentence(&why));
            }
            (None, Err(why)) => self.notify(sentence(&why)),
            (Some(_), Ok(())) => self.put_tileset(plan),
            (None, Ok(())) => self.notify(format!("Copied the picture to {}; no tileset was made", plan.place)),
        }
    }

    /// The job panicked.
    pub(super) fn adding_picture_failed(&mut self) {
        if let Some(new) = &mut self.bench.new_tileset {
            new.is_adding = false;
            new.failure = Some("The picture could not be copied".to_owned());
        }
    }

    /// Make a tile of each cell of the shown tileset's picture that shows something and has none.
    pub(super) fn add_tiles(&mut self) {
        let project = self.workspace.project();
        let Some(doc) = self.sheet_shown() else { return };
        let Some(tileset) = project.tileset(&doc) else { return };
        let image = doc.beside(&tileset.image).and_then(|path| self.derived.images().get(path.as_str()));
        let Some(image) = image else {
            self.notify(format!("The picture of {} cannot be read", doc.stem()));
            return;
        };
        let plan = new_tiles((&doc, tileset), &SheetGrid::of(tileset).shown(image));
        if plan.edits.is_empty() {
            self.notify(format!("{} has a tile for all that its picture shows", sentence(doc.stem())));
            return;
        }
        let ids = tileset.tiles.keys().copied().collect::<std::collections::BTreeSet<u32>>();
        if self.step(Some(&plan.label), &plan.edits).is_some() {
            let made = self.workspace.project().tileset(&doc).map(|set| set.tiles.keys().copied());
            let made = made.into_iter().flatten().filter(|id| !ids.contains(id)).collect();
            self.bench.select(Selection::Tiles { doc, ids: made });
        }
    }

    fn sheet_shown(&self) -> Option<DocPath> {
        let (project, tilesets) = (self.workspace.project(), &self.derived.resolution().tilesets);
        self.bench.view.sheet_shown(self.bench.selection(), project, tilesets).cloned()
    }

    /// Select all tiles of the tileset shown.
    pub(super) fn select_all_tiles(&mut self) {
        let project = self.workspace.project();
        let Some(doc) = self.sheet_shown() else { return };
        let Some(tileset) = project.tileset(&doc) else { return };
        let all = TilesByCell::of(tileset).all();
        self.bench.select(Selection::None.with_tiles(&doc, &all, false, false));
    }

    /// Put the tileset into the project as one step, and show it.
    fn put_tileset(&mut self, plan: TilesetPlan) {
        if self.workspace.project().doc(&plan.doc).is_some() {
            // Another program made one of the name while the picture was copied.
            if let Some(new) = &mut self.bench.new_tileset {
                new.is_adding = false;
            }
            return;
        }
        self.bench.dialog = None;
        self.bench.new_tileset = None;
        // The watcher finds it too, a moment later; without one this is the only word of it.
        self.derived.take_images([(plan.place.to_string(), Some(Ok(plan.image)))].into());
        let name = plan.doc.stem();
        if self.step(Some(&format!("Add tileset {name}")), &[plan.edit]).is_some() {
            let copied = plan.copied.map(|_| format!("; its picture was copied to {}", plan.place));
            self.notify(format!("Made tileset {name}{}", copied.unwrap_or_default()));
            // What is new is meant next: a level or layer made now is offered with it.
            self.bench.view.tileset = Some(name.into());
            self.bench.select(Selection::Document(plan.doc));
        }
    }
}
