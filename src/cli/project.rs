//! A project opened for a command: read, resolved, checked, and its problems as lines of text. No command decides here.

use std::{cell::OnceCell, fs, io::ErrorKind, path::PathBuf, sync::Arc};

use camino::Utf8Path;

use super::report::Failure;
use crate::{
    check::{self, Checked, Images, LeftOut, Problem},
    defs::{self, Resolution},
    io::{
        self, IntentLog, Places, Sources,
        journal::{Interrupted, Outcome},
        report::Reported,
    },
    model::{Builtin, DocKind, DocPath, Finding, Location, Name, Project, Severity, advice, after},
    raster::Image,
};

/// A project and everything derived from it.
pub(super) struct Open {
    pub(super) root: PathBuf,
    /// What the user typed.
    command: String,
    /// Changes that an earlier process left half done.
    pub(super) interrupted: Vec<Interrupted>,
    pub(super) project: Project,
    pub(super) sources: Sources,
    pub(super) builtin: Builtin,
    pub(super) resolution: Resolution,
    pub(super) images: Images,
    /// What is wrong with files.
    pub(super) findings: Vec<Finding>,
    /// The problems of their content.
    pub(super) problems: Vec<Arc<Problem>>,
    /// How many more there are of rules that have many.
    pub(super) left_out: LeftOut,
    every_problem: OnceCell<Vec<Arc<Problem>>>,
}

impl Open {
    /// Read the project in a folder, for what the user typed.
    pub(super) fn at(dir: &Utf8Path, command: &str) -> Result<Self, Failure> {
        let dir = if dir.file_name() == Some("project.ron") { dir.parent().unwrap_or(dir) } else { dir };
        let dir = if dir.as_str().is_empty() { Utf8Path::new(".") } else { dir };
        folder(dir)?;
        let file = dir.join("project.ron");
        match fs::metadata(&file) {
            Ok(_) => Ok(Self::read(dir.as_std_path().to_owned(), command.to_owned())),
            Err(why) if is_absent(&why) => {
                let help = "`levelwright new DIR` makes one";
                Err(Failure::new(format!("`{dir}` is not a project: it has no project.ron; {help}")))
            }
            Err(why) => Err(Failure::problem(format!("`{file}` cannot be read: {why}"))),
        }
    }

    /// The same project as its files are now.
    pub(super) fn again(&self) -> Self {
        Self::read(self.root.clone(), self.command.clone())
    }

    fn read(root: PathBuf, command: String) -> Self {
        let (loaded, interrupted) = io::open(io::journal::home().as_deref(), &root);
        let io::Loaded { project, sources, images, mut findings, .. } = loaded;
        let builtin = Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() };
        let resolution = defs::resolve(&project, &builtin, None);
        let named = check::named_images(&project, &resolution);
        let size = |path: &DocPath| {
            if path.is_sound() {
                return io::read_sound(&root, path).map(|_| [0, 0]);
            }
            let bytes = io::files::read_bytes(&root, path);
            // Others may be many and large; a header shows enough to offer them.
            let header = bytes.as_ref().ok().filter(|_| !named.contains(path)).and_then(|bytes| Image::png_size(bytes));
            header.map_or_else(|| Image::of_file(bytes).map(|image| image.size()), Ok)
        };
        let images: Images = images.into_iter().map(|path| (path.clone(), size(&path))).collect();
        let unread = sources.unread().cloned();
        let images = check::image_facts((&project, &resolution), images, unread, &mut findings);
        let Checked { problems, left_out, .. } = check::check_again(&project, &resolution, Some(&images), None);
        let every_problem = OnceCell::new();
        Self {
            root,
            command,
            interrupted,
            project,
            sources,
            builtin,
            resolution,
            images,
            findings,
            problems,
            left_out,
            every_problem,
        }
    }

    /// Refuse to write while files are half old and half new.
    pub(super) fn may_be_changed(&self) -> Result<(), Failure> {
        match self.interrupted.iter().find(|it| !it.is_settled()) {
            Some(it) if it.outcome == Outcome::Running => Err(Failure::problem(
                "nothing was written: another levelwright process is writing this project; try again",
            )),
            Some(it) => {
                Err(Failure::problem(format!("nothing was written, because files may be half old and half new: {it}")))
            }
            None => Ok(()),
        }
    }

    /// Where a change of several files is recorded while it is made.
    pub(super) fn log(&self) -> IntentLog {
        IntentLog { journals: io::journal::home(), command: self.command.clone(), is_left: true }
    }

    /// Every problem of the files' content, also those that are not listed.
    fn every_problem(&self) -> &[Arc<Problem>] {
        if self.left_out.is_empty() {
            return &self.problems;
        }
        self.every_problem.get_or_init(|| {
            let all = check::check(&self.project, &self.resolution, Some(&self.images));
            all.into_iter().map(Arc::new).collect()
        })
    }

    /// The project's problems with their places, in the order of files and lines.
    pub(super) fn problems(&self) -> Vec<Reported> {
        self.reported(|_| true, &self.problems)
    }

    /// How many problems of a severity there are beside those listed.
    pub(super) fn n_left_out(&self, severity: Severity) -> usize {
        self.left_out.iter().filter(|((_, of), _)| *of == severity).map(|(_, n)| n).sum()
    }

    /// Every problem of the files and of their content, listed or not.
    pub(super) fn every_finding(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().chain(self.every_problem().iter().map(|problem| &problem.finding))
    }

    /// Those at some places, all of them.
    pub(super) fn problems_where(&self, is_wanted: impl Fn(&Location) -> bool) -> Vec<Reported> {
        self.reported(is_wanted, self.every_problem())
    }

    fn reported(&self, is_wanted: impl Fn(&Location) -> bool, problems: &[Arc<Problem>]) -> Vec<Reported> {
        let is_wanted = |finding: &Finding| is_wanted(&finding.location);
        let in_files = self.findings.iter().filter(|it| is_wanted(it)).map(|finding| (finding, Vec::new()));
        let titles = |problem: &Arc<Problem>| problem.fixes.iter().map(|fix| fix.label.clone()).collect();
        let in_data = problems.iter().filter(|it| is_wanted(&it.finding));
        let in_data = in_data.map(|problem| (&problem.finding, titles(problem)));
        io::report::Report::with_fixes(in_files.chain(in_data), &self.sources).problems
    }

    /// Findings with their places, in the order of files and lines, each once.
    pub(super) fn located(&self, findings: &[Finding]) -> Vec<Reported> {
        io::report::Report::new(findings, &self.sources).problems
    }

    /// The level of a name, or at a path in the project.
    pub(super) fn level(&self, name: &str) -> Result<(Name, DocPath), Failure> {
        self.named(&self.resolution.levels.iter().collect::<Vec<_>>(), "level", DocKind::Level, name)
    }

    /// The scenario of a name, or at a path in the project.
    pub(super) fn scenario(&self, name: &str) -> Result<(Name, DocPath), Failure> {
        self.named(&self.resolution.scenarios.iter().collect::<Vec<_>>(), "scenario", DocKind::Scenario, name)
    }

    /// Some definitions and all that they name as ancestors, whether or not these can be resolved.
    pub(super) fn lineage(&self, mut names: Vec<Name>) -> Vec<Name> {
        let mut at = 0;
        while let Some(name) = names.get(at) {
            let def = self.resolution.def_docs.get(name).and_then(|doc| self.project.def(doc, name));
            let parents = def.map(|def| def.inherits.clone()).unwrap_or_default();
            for parent in parents {
                if !names.contains(&parent) {
                    names.push(parent);
                }
            }
            at += 1;
        }
        names
    }

    /// Whether nothing can be had of a document.
    pub(super) fn is_unread(&self, doc: &DocPath) -> bool {
        self.sources.get(doc).is_some_and(|source| source.document.is_none())
    }

    /// Where a finding is, as `file:line:column`.
    pub(super) fn line_of(&self, finding: &Finding) -> String {
        let (line, column) = Places::new(&self.sources).line_column(&finding.location);
        format!("{}:{line}:{column}", finding.location.doc)
    }

    /// What keeps a file of a kind, or a folder of them, from being read.
    pub(super) fn unread(&self, kind: DocKind) -> impl Iterator<Item = &Finding> {
        let is_of_kind = move |doc: &DocPath| doc.as_str() == kind.folder() || is_below(doc, kind.folder());
        self.findings.iter().filter(move |finding| {
            let doc = &finding.location.doc;
            // Where a link leads to a folder that is read where it stands, nothing is missed.
            let is_missed = *finding.rule != *"linked-folder";
            let has_none = is_missed && self.sources.get(doc).is_none_or(|source| source.document.is_none());
            finding.severity == Severity::Error && is_of_kind(doc) && has_none
        })
    }

    fn named(
        &self,
        all: &[(&Name, &DocPath)],
        what: &str,
        kind: DocKind,
        wanted: &str,
    ) -> Result<(Name, DocPath), Failure> {
        let wanted_path = wanted.strip_prefix("./").unwrap_or(wanted);
        let is_it = |(name, path): &&(&Name, &DocPath)| {
            ***name == *wanted || path.as_str() == wanted_path || wanted_path.ends_with(&format!("/{path}"))
        };
        if let Some((name, path)) = all.iter().find(is_it) {
            return Ok(((*name).clone(), (*path).clone()));
        }
        let stem = wanted.rsplit('/').next().unwrap_or(wanted);
        let stem = stem.strip_suffix(".ron").unwrap_or(stem);
        if let Some(finding) = self.unread(kind).find(|finding| finding.location.doc.stem() == stem) {
            let (at, why) = (self.line_of(finding), &finding.message);
            return Err(Failure::problem(format!("the {what} `{stem}` cannot be read: {at}: {why}")));
        }
        // Documents are called like their files, so it is in no other file; it may be in a folder that cannot be looked
        // into.
        if let Some(finding) = self.unread(kind).find(|finding| finding.location.doc.kind().is_none()) {
            let (doc, why) = (&finding.location.doc, &finding.message);
            return Err(Failure::problem(format!("the {what} `{stem}` may be in `{doc}`: {why}")));
        }
        let help = advice(stem, "there are", all.iter().map(|(name, _)| &***name));
        let help = after(help.or_else(|| Some("the project has none".to_owned())));
        // A file that is not there cannot be read; a name that is not there is a mistake in what was typed.
        let message = format!("there is no {what} `{wanted}`{help}");
        Err(if Utf8Path::new(wanted).extension() == Some("ron") {
            Failure::problem(message)
        } else {
            Failure::new(message)
        })
    }
}

/// Whether a place is in a folder of the project.
pub(super) fn is_below(doc: &DocPath, folder: &str) -> bool {
    doc.as_str().strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether there is a folder at a place; the reason if not.
pub(super) fn folder(dir: &Utf8Path) -> Result<(), Failure> {
    match fs::metadata(dir) {
        Ok(meta) if meta.is_dir() => Ok(()),
        Ok(_) => Err(Failure::new(format!("`{dir}` is a file; name the project's folder"))),
        Err(why) if is_absent(&why) => Err(Failure::new(format!("there is no folder `{dir}`"))),
        Err(why) => Err(Failure::problem(format!("the folder `{dir}` cannot be read: {why}"))),
    }
}

/// Whether an error says that nothing is at a place, rather than that it cannot be looked at.
pub(super) fn is_absent(why: &std::io::Error) -> bool {
    matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
