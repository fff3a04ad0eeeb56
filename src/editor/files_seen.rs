//! The state of the project's files beside its documents: the images and sounds, and problems of the folder.

use std::{collections::BTreeMap, sync::Arc};

use super::Images;
use crate::{
    check,
    defs::Resolution,
    io,
    model::{DocPath, Finding, Project},
    raster::Image,
};

/// Images that were read, by path from the project's root: decoded, or why not; `None` for those that are gone.
pub type ReadImages = BTreeMap<String, Option<Result<Arc<Image>, Arc<str>>>>;

/// Sound files that were looked at, by path from the project's root: whether they can be read; `None` for those that
/// are gone.
pub type ReadSounds = BTreeMap<String, Option<Result<(), Arc<str>>>>;

/// The sound files that are there, by path from the project's root; those that cannot be read with the reason.
pub type Sounds = BTreeMap<String, Result<(), Arc<str>>>;

/// The state of the images, sounds and the folder of a project.
#[derive(Clone, Debug, Default)]
pub struct FilesSeen {
    pub(super) images: Arc<Images>,
    pub(super) sounds: Arc<Sounds>,
    /// Image files that are there and cannot be decoded, with the reason. Where one could be before, that is still in
    /// `images`.
    unreadable: Arc<BTreeMap<String, Arc<str>>>,
    /// Problems of the folder rather than of a file that was read.
    pub(super) folder_findings: Vec<Finding>,
}

impl FilesSeen {
    /// Take over images that were read.
    pub(super) fn take_images(&mut self, images: ReadImages) {
        let all = Arc::make_mut(&mut self.images);
        let unreadable = Arc::make_mut(&mut self.unreadable);
        for (path, image) in images {
            unreadable.remove(&path);
            match image {
                Some(Ok(image)) => drop(all.insert(path, image)),
                // A program may still be writing it: what was read last goes on being shown.
                Some(Err(why)) => drop(unreadable.insert(path, why)),
                None => drop(all.remove(&path)),
            }
        }
    }

    /// Take over which sounds can be read.
    pub(super) fn take_sounds(&mut self, sounds: ReadSounds) {
        if sounds.is_empty() {
            return;
        }
        let all = Arc::make_mut(&mut self.sounds);
        for (path, sound) in sounds {
            match sound {
                Some(sound) => drop(all.insert(path, sound)),
                None => drop(all.remove(&path)),
            }
        }
    }

    /// Width and height of every image, the sounds, and the files that cannot be read, for rules that ask about them.
    /// Findings about the folder that these make needless are taken out.
    pub fn facts(&mut self, (project, resolution): (&Project, &Resolution), sources: &io::Sources) -> check::Images {
        let sizes = self.images.iter().map(|(path, image)| (path, Ok(image.size())));
        let broken = self.unreadable.iter().map(|(path, why)| (path, Err(Arc::clone(why))));
        let sounds = self.sounds.iter().map(|(path, sound)| (path, sound.clone().map(|()| [0, 0])));
        let all = sizes.chain(broken).chain(sounds);
        let images = all.filter_map(|(path, size)| Some((DocPath::new(path)?, size))).collect();
        check::image_facts((project, resolution), images, sources.unread().cloned(), &mut self.folder_findings)
    }
}
