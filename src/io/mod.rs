//! Reading and writing: files to documents and back; unchanged bytes stay as they are.
//!
//! Invariants: nothing outside the project's folder is read or written; no content of a file makes anything here panic,
//! hang or run away with memory; a file that cannot be read costs a finding, never the project. What data means is not
//! decided here.

mod builtin;
pub mod codec;
mod common;
pub mod completion;
mod differences;
mod disk;
mod draft;
pub mod export;
pub mod files;
mod follow;
pub mod journal;
mod load;
mod locate;
pub mod mirror;
mod new_project;
mod parts;
mod picture;
mod project_files;
mod related;
mod reload;
pub mod report;
pub mod ron_text;
mod sample;
mod save;
mod sound;
mod sources;
mod staged;
mod together;
#[cfg(feature = "watch")]
mod watch;

pub use builtin::{builtin_schema, builtin_tuning};
pub use codec::{Choices, Merged, merge, same};
pub use differences::differences;
pub use disk::{Disk, Folder, Found};
pub use draft::{Texts, text_of};
pub use follow::{Conflict, Follow, Followed, MergedFile, Question};
pub use load::{Loaded, load, load_one, open, open_to_show, read_regions, source_of};
pub use locate::Places;
pub use new_project::{NewError, Template, new_project};
pub use picture::{NamedPicture, add_picture, read_picture};
pub use project_files::ProjectFiles;
pub use reload::{DiskChange, Now, Reloaded, Scan, Scanned, changed};
pub use sample::{SampleError, sample_copy};
pub use save::{Meanwhile, SaveError, Saving, Writing, Wrote};
pub use sound::read_sound;
pub use sources::{Source, Sources, content_hash};
pub use staged::write;
pub use together::{IntentLog, Together, Unrecorded, run_together};
#[cfg(feature = "watch")]
pub use watch::{WatchError, Watcher};
