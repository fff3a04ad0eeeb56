//! What is known of image files, for the rules that ask about them.

use crate::{
    defs::Resolution,
    model::{DocKind, DocPath, Finding, Project},
};

use super::{Images, named_images};

/// What rules know of images: the size of each that was looked at, or why it has none, and the documents that are `unread`.
///
/// `findings` are about files and folders. Where one is why an image of the project cannot be had, what names the image is not
/// reported as well; a folder or file that cannot be read and that nothing of the project is in is no problem of it.
#[must_use]
pub fn image_facts(
    (project, resolution): (&Project, &Resolution),
    mut images: Images,
    unread: impl IntoIterator<Item = DocPath>,
    findings: &mut Vec<Finding>,
) -> Images {
    // A broken file whose last good version is known is missed by nobody.
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
