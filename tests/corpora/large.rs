//! A large game as files, for what the window costs.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "tests say where they fail")]

/// A game of this many definitions in files of a hundred, eight heirs each.
pub fn large_game(n: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("entities")).unwrap();
    let project = "(format: 1, name: \"Large\", start_level: \"none\", view: Platformer)";
    std::fs::write(folder.path().join("project.ron"), project).unwrap();
    for file in 0..n / 100 {
        let defs = (0..100).map(|i| {
            let i = file * 100 + i;
            let parent = if i == 0 { String::new() } else { format!("inherits: [\"def_{}\"], ", (i - 1) / 8) };
            format!("\"def_{i}\": ({parent}set: (Health: (max: {i}.0), Body: (mass: {}.5))),\n", i % 90)
        });
        let text = format!("{{\n{}}}\n", defs.collect::<String>());
        std::fs::write(folder.path().join(format!("entities/file_{file}.ron")), text).unwrap();
    }
    folder
}
