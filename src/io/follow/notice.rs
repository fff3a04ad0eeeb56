//! The texts about following the disk for the user: the label of a step, and the line in the status bar.

use super::Followed;

impl Followed {
    /// The label of the step that puts [`Followed::reloads`] in place.
    #[must_use]
    pub fn label(&self) -> String {
        match (self.moved.as_slice(), self.reloads.as_slice()) {
            ([(from, to)], [_, _]) => format!("Move {from} to {to}"),
            (_, [(doc, _)]) => format!("Reload {doc}"),
            (_, list) => format!("Reload {} files", list.len()),
        }
    }

    /// What to tell the user, if anything.
    #[must_use]
    pub fn notice(&self) -> Option<String> {
        if let [doc, rest @ ..] = self.not_saved.as_slice() {
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            return Some(format!("{doc}{more} could not be saved: the project's folder is gone"));
        }
        if self.is_folder_gone {
            return Some("The project's folder is gone; what is open stays, and is compared when it is back".into());
        }
        if let [merged] = self.merges.as_slice() {
            let n = merged.merged.n_theirs;
            let places: Vec<String> = merged.merged.theirs.iter().take(3).map(ToString::to_string).collect();
            let more = if n > places.len() { format!(" and {} more", n - places.len()) } else { String::new() };
            let what = if n == 0 {
                "and what is here stays".to_owned()
            } else {
                format!("merged: {}{more}", places.join(", "))
            };
            return Some(format!("{} changed on disk too; {what}", merged.doc));
        }
        if !self.merges.is_empty() {
            return Some(format!("{} files changed on disk too and were merged", self.merges.len()));
        }
        match self.broken.as_slice() {
            [] => {}
            [doc] => return Some(format!("{doc} has errors; the last good version stays in use")),
            list => return Some(format!("{} files have errors; their last good versions stay in use", list.len())),
        }
        if let [doc, ..] = self.orphaned.as_slice() {
            return Some(format!("{doc} was removed by another program; Save writes it again"));
        }
        match (self.moved.as_slice(), self.reloads.as_slice()) {
            ([(from, to)], [_, _]) => Some(format!("{from} was moved to {to} by another program")),
            (_, []) => match (self.healed.as_slice(), self.back.as_slice()) {
                ([doc], _) => Some(format!("{doc} has no errors any more")),
                ([_, _, ..], _) => Some(format!("{} files have no errors any more", self.healed.len())),
                (_, [doc]) => Some(format!("{doc} is what it was before")),
                (_, [_, _, ..]) => Some(format!("{} files are what they were before", self.back.len())),
                _ => None,
            },
            (_, [(doc, None)]) => Some(format!("{doc} was removed by another program")),
            (_, [(doc, Some(_))]) => Some(format!("{doc} was changed by another program")),
            (_, list) => {
                let n_gone = list.iter().filter(|(_, document)| document.is_none()).count();
                Some(match (list.len() - n_gone, n_gone) {
                    (n, 0) => format!("{n} files were changed by another program"),
                    (0, n) => format!("{n} files were removed by another program"),
                    (n, gone) => format!("{n} files were changed and {gone} removed by another program"),
                })
            }
        }
    }
}
