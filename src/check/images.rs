//! Image files, for the rules that need them.

use crate::{
    defs::Resolution,
    model::{DocKind, DocPath, Finding, Project},
};

use super::{Images, named_images};

/// The images for the rules: the size of each, or the reason why it has none; and the documents that are `unread`.
///
/// `findings` are about files and folders. If one is the reason why an image of the project cannot be read, the places
/// that name the image are not reported as well. A folder or file that cannot be read and that the project does not use
/// is no problem of the project; its finding is removed.
#[must_use]
pub fn image_facts(
    (project, resolution): (&Project, &Resolution),
    mut images: Images,
    unread: impl IntoIterator<Item = DocPath>,
    findings: &mut Vec<Finding>,
) -> Images {
    // If the last good version of a broken file is in use, nothing is missing.
    let unread = unread.into_iter().filter(|path| project.doc(path).is_none());
    images.extend(unread.map(|path| (path, Err("its text cannot be read".into()))));
    let is_closed = |finding: &Finding| {
        ["outside-project", "too-deep", "unreadable"].contains(&&*finding.rule) && finding.location.doc.kind().is_none()
    };
    if !findings.iter().any(is_closed) {
        return images;
    }
    let named = named_images(project, resolution);
    findings.retain(|finding| {
        let place = finding.location.doc.as_str();
        if !is_closed(finding) {
            return true;
        }
        let is_there =
            |path: &str| path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let mut is_missed = false;
        for image in named.iter().filter(|image| is_there(image.as_str())) {
            if !matches!(images.get(image), Some(Ok(_))) {
                images.insert(image.clone(), Err("".into()));
                is_missed = true;
            }
        }
        let has_documents = |folder: &str| {
            !folder.is_empty()
                && place.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        is_missed || *finding.rule == *"outside-project" || DocKind::ALL.iter().any(|kind| has_documents(kind.folder()))
    });
    images
}
