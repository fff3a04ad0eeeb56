//! Stamps that are kept in the project: made of what is in hand or selected, copied and deleted, each with its file.
//!
//! Invariant: what the form says beside the name is what the plan is refused for.

use super::Plan;
use crate::{
    edit::{Edit, LayeredStamp, Refusal, free_name, new_place},
    model::{DocKind, DocPath, Document, Project, StampFile, counted, sentence},
};

/// A stamp that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewStamp {
    /// Its name, which is its file's.
    pub name: String,
    /// What it paints.
    pub stamp: LayeredStamp,
}

impl NewStamp {
    /// One as it is offered first.
    #[must_use]
    pub fn new(project: &Project, stamp: LayeredStamp) -> Self {
        Self { name: free_name("stamp", |name| is_taken(project, name)).to_string(), stamp: stamp.of_tiles() }
    }

    /// What is wrong with the name, as a sentence.
    #[must_use]
    pub fn name_problem(&self, project: &Project) -> Option<String> {
        if self.name.is_empty() {
            return Some("Write the stamp's name".to_owned());
        }
        let refusal = new_place(project, DocKind::Stamp, None, &self.name).err();
        refusal.map(|refusal| sentence(&refusal.to_string()))
    }

    /// How large it is, and of which layers.
    #[must_use]
    pub fn describe(&self) -> String {
        let [w, h] = self.stamp.size();
        let names: Vec<&str> = self.stamp.parts().iter().map(|part| &*part.layer).collect();
        format!("{w} × {h} tiles of {}: {}.", counted(names.len(), "layer"), names.join(", "))
    }
}

fn is_taken(project: &Project, name: &str) -> bool {
    project.all::<StampFile>().any(|(doc, _)| doc.stem() == name)
}

/// The plan that makes a stamp.
pub(super) fn create(project: &Project, new: &NewStamp) -> Result<Plan, Refusal> {
    if let Some(why) = new.name_problem(project) {
        return Err(Refusal::new(why));
    }
    let doc = new_place(project, DocKind::Stamp, None, &new.name)?;
    let file = new.stamp.to_file(1.0);
    let file =
        file.map_err(|layer| Refusal::new(format!("the level has no tile layer `{layer}`, whose tileset it needs")))?;
    Ok(Plan { label: format!("Add stamp {}", new.name), edits: vec![Edit::put_document(doc, Document::Stamp(file))] })
}

/// The plan that copies a stamp into a file beside its own, and that file.
///
/// # Errors
/// There is no such stamp.
pub fn duplicate_stamp(project: &Project, doc: &DocPath) -> Result<(Plan, DocPath), Refusal> {
    let file = project.doc(doc).filter(|_| project.get::<StampFile>(doc).is_some());
    let file = file.ok_or_else(|| Refusal::new(format!("there is no stamp `{}`", doc.stem())))?;
    let to = free_name(doc.stem(), |name| is_taken(project, name));
    let place = new_place(project, DocKind::Stamp, Some(doc), &to)?;
    let edits = vec![Edit::put_document(place.clone(), file.clone())];
    Ok((Plan { label: format!("Duplicate stamp {} as {to}", doc.stem()), edits }, place))
}

/// The plan that deletes stamps with their files. Nothing uses them by name.
#[must_use]
pub fn delete_stamps(docs: &[DocPath]) -> Plan {
    let label = match docs {
        [doc] => format!("Delete stamp {}", doc.stem()),
        _ => format!("Delete {}", counted(docs.len(), "stamp")),
    };
    Plan { label, edits: docs.iter().map(|doc| Edit::PutDocument { doc: doc.clone(), document: None }).collect() }
}
