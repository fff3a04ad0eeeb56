//! What the fuzzer starts from: whole projects as files in memory, and dice.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use levelwright::{
    io::{Template, new_project},
    model::{DocPath, mix},
};

/// Files of a project by their path.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Random numbers that are the same everywhere.
pub(crate) struct Dice(u64);

impl Dice {
    /// The numbers of one case of one test.
    pub(crate) fn new(test: &str, seed: u64) -> Self {
        Self(test.bytes().fold(mix(seed), |hash, byte| mix(hash ^ u64::from(byte))))
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = mix(self.0.wrapping_add(1));
        (self.0 % n.max(1) as u64) as usize
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// The projects: the examples of the formats' page, the templates, and the sample game, which is last.
pub(crate) fn projects() -> &'static [Files] {
    static PROJECTS: OnceLock<Vec<Files>> = OnceLock::new();
    PROJECTS.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut projects = vec![files_in(&root.join("tests/formats"))];
        for template in Template::ALL {
            let dir = scratch();
            new_project(dir.path(), template, "Fuzzed").unwrap();
            projects.push(files_in(dir.path()));
        }
        projects.push(files_in(&root.join("sample_data")));
        assert!(projects.iter().all(|files| files.contains_key("project.ron")));
        projects
    })
}

/// Every document of the projects, with its path; the built-in schemas too.
pub(crate) fn documents() -> &'static [(DocPath, String)] {
    static DOCUMENTS: OnceLock<Vec<(DocPath, String)>> = OnceLock::new();
    DOCUMENTS.get_or_init(|| {
        let mut found = Vec::new();
        let built_in = files_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas"));
        let built_in = built_in.into_iter().map(|(path, bytes)| {
            if path.starts_with("tuning/") { (path, bytes) } else { (format!("schemas/{path}"), bytes) }
        });
        for (path, bytes) in
            projects().iter().flatten().map(|(path, bytes)| (path.clone(), bytes.clone())).chain(built_in)
        {
            let Some(path) = DocPath::new(&path).filter(|path| path.kind().is_some()) else { continue };
            found.push((path, String::from_utf8(bytes).unwrap()));
        }
        assert!(found.len() > 60, "{}", found.len());
        found
    })
}

/// A folder for one case, in memory where the system has such a place.
pub(crate) fn scratch() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let dir = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    dir.or_else(|_| tempfile::tempdir()).unwrap()
}

/// Every file below a folder.
pub(crate) fn files_in(root: &Path) -> Files {
    let mut found = Files::new();
    let mut open: Vec<(PathBuf, String)> = vec![(root.to_owned(), String::new())];
    while let Some((folder, at)) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{at}{}", entry.file_name().to_string_lossy());
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                open.push((entry.path(), path + "/"));
            } else if kind.is_file() {
                found.insert(path, fs::read(entry.path()).unwrap());
            }
        }
    }
    found
}

/// Put files into a folder. Those that the system refuses are left out.
pub(crate) fn write(files: &Files, root: &Path) {
    for (path, bytes) in files {
        let path = root.join(path);
        let _ = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, bytes));
    }
}
