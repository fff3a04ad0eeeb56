//! Changes of several files that are interrupted, or find the disk full: the next command settles them.

use super::*;

#[cfg(unix)]
#[test]
fn on_a_full_disk_nothing_is_changed() {
    let dir = small();
    let before = all_files(dir.path());
    // No file may grow: the system refuses as it does when there is no room.
    let script =
        format!("trap '' XFSZ; ulimit -f 0; exec {} rename \"$0\" def goblin gnome", env!("CARGO_BIN_EXE_levelwright"));
    let output = Command::new("sh").args(["-c", &script, at(&dir)]).stdin(Stdio::null()).output().unwrap();
    let result = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{result}");
    assert!(result.contains("could not be written") && result.contains("no file was changed"), "{result}");
    assert!(all_files(dir.path()) == before, "not even something half written is left");
}

/// What a rename leaves that is killed after its first file: the record of the change, new contents, one file of two
/// changed. Returns the record's place.
#[cfg(target_os = "linux")]
fn interrupt_a_rename(root: &Path, temp_process: &str) -> PathBuf {
    use levelwright::io::{content_hash, journal};
    let real = root.canonicalize().unwrap();
    let folder = journal::folder_of(&Path::new(STATE).join("levelwright/journals"), &real);
    let (mut files, mut before) = (Vec::new(), Vec::new());
    for (i, path) in ["entities/all.ron", "levels/start.ron"].into_iter().enumerate() {
        let at = root.join(path);
        let (mode, old) = (0o644, fs::read(&at).unwrap());
        let new = String::from_utf8(old.clone()).unwrap().replace("goblin", "gnome");
        let temp = format!(".levelwright-{temp_process}-abc{i}.tmp");
        files.push(json!({
            "path": path,
            "after": [temp, content_hash(new.as_bytes())],
            "before": {"hash": content_hash(&old), "n_bytes": old.len(), "mode": mode},
        }));
        fs::write(if i == 0 { at.clone() } else { at.with_file_name(temp) }, new).unwrap();
        before.extend(old);
    }
    let record = json!({
        "levelwright_intent": 1, "root": real, "base": null, "command": "rename game def goblin gnome", "files": files,
    });
    let line = record.to_string();
    fs::create_dir_all(&folder).unwrap();
    let place = folder.join(format!("{temp_process}-0123456789abcdef.intent"));
    let line = format!("{:016x} {line}\n", content_hash(line.as_bytes()));
    fs::write(&place, [line.as_bytes(), &before].concat()).unwrap();
    place
}

/// The number of a process that ended.
#[cfg(target_os = "linux")]
fn ended_process() -> String {
    let mut child = Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    child.id().to_string()
}

#[cfg(target_os = "linux")]
#[test]
fn the_next_command_settles_a_change_that_was_interrupted() {
    let process = ended_process();
    let commands: [&[&str]; 7] = [
        &["check"],
        &["rename", "--", "def", "gnome", "elf"],
        &["fix"],
        &["fmt", "--check"],
        &["resolve", "--", "gnome"],
        &["render", "--", "start", concat!(env!("CARGO_TARGET_TMPDIR"), "/settled.png")],
        &["schema", "--project"],
    ];
    for command in commands {
        let dir = small();
        let record = interrupt_a_rename(dir.path(), &process);
        let mut args: Vec<&str> = command.to_vec();
        let at_project = args.iter().position(|arg| *arg == "--");
        match at_project {
            Some(i) => args[i] = at(&dir),
            None => args.push(at(&dir)),
        }
        let result = run(&args);
        let note =
            "`rename game def goblin gnome` was interrupted and is finished now: entities/all.ron, levels/start.ron\n";
        assert!(result.err.starts_with(note), "{args:?}: {}", result.err);
        assert_eq!(result.code, i32::from(command[0] == "fmt"), "{args:?}: {}", result.err);
        assert!(!record.exists());
        assert_eq!(run(&["check", at(&dir)]).err, "");
        assert_eq!(fs::read_dir(dir.path().join("levels")).unwrap().count(), 1, "the new content is in its place");
    }
    // Its new contents are gone: taken back.
    let dir = small();
    let before = all_files(dir.path());
    interrupt_a_rename(dir.path(), &process);
    fs::remove_file(dir.path().join(format!("levels/.levelwright-{process}-abc1.tmp"))).unwrap();
    let result = run(&["check", at(&dir)]);
    assert!(
        result.err.starts_with("`rename game def goblin gnome` was interrupted and is taken back now: "),
        "{}",
        result.err
    );
    assert_eq!((result.code, all_files(dir.path()) == before), (0, true));
}

#[cfg(target_os = "linux")]
#[test]
fn a_change_that_cannot_be_settled_is_reported_and_nothing_is_written() {
    let dir = small();
    let record = interrupt_a_rename(dir.path(), &ended_process());
    // A folder that no user may rename into, not even root.
    let levels = dir.path().join("levels");
    let aside = dir.path().join("aside");
    fs::rename(&levels, &aside).unwrap();
    std::os::unix::fs::symlink("/proc", &levels).unwrap();
    let before = all_files(&dir.path().join("entities"));
    for command in [&["rename", at(&dir), "def", "gnome", "elf"][..], &["fix", at(&dir)], &["fmt", at(&dir)]] {
        let result = run(command);
        assert_eq!(result.code, 1, "{command:?}");
        let why =
            "cannot be completed or rolled back (levels/start.ron leads outside its folder); files: entities/all.ron, ";
        assert!(
            result.err.contains(why) && result.err.contains(&format!("delete {}", record.display())),
            "{}",
            result.err
        );
        assert!(all_files(&dir.path().join("entities")) == before && record.exists());
    }
    assert!(run(&["check", at(&dir)]).err.contains("levels/start.ron leads outside its folder"));
    fs::remove_file(&levels).unwrap();
    fs::rename(&aside, &levels).unwrap();
    assert!(run(&["check", at(&dir)]).err.contains("is finished now"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_change_whose_record_cannot_be_read_is_reported_and_nothing_is_written() {
    use levelwright::io::content_hash;
    let dir = small();
    let record = interrupt_a_rename(dir.path(), &ended_process());
    let whole = fs::read_to_string(&record).unwrap();
    let newer = whole.lines().next().unwrap()[17..].replace("\"levelwright_intent\":1", "\"levelwright_intent\":2");
    let newer = format!("{:016x} {newer}\n", content_hash(newer.as_bytes()));
    let before = all_files(dir.path());
    for text in [&newer, &whole[..whole.len() - 1], ""] {
        fs::write(&record, text).unwrap();
        for command in [&["rename", at(&dir), "def", "gnome", "elf"][..], &["fix", at(&dir)], &["fmt", at(&dir)]] {
            let result = run(command);
            assert_eq!(result.code, 1, "{command:?}: {}", result.err);
            let why = "an interrupted change cannot be completed or rolled back (its record cannot be read: it is damaged, or \
                       another version of Levelwright wrote it)";
            assert!(result.err.contains(why), "{}", result.err);
        }
        assert!(run(&["check", at(&dir)]).err.contains(&format!("delete {}", record.display())));
        assert!(all_files(dir.path()) == before, "new contents stay, too");
    }
    fs::write(&record, whole).unwrap();
    assert!(run(&["check", at(&dir)]).err.contains("is finished now"));
}

#[cfg(unix)]
#[test]
fn a_change_without_a_record_is_made_and_says_so() {
    let dir = small();
    let output =
        command().env("XDG_STATE_HOME", "/dev/null").args(["rename", at(&dir), "def", "goblin", "gnome"]).output();
    let result = result_of(output.unwrap());
    assert_eq!(result.code, 0, "{}", result.err);
    assert!(result.err.contains("no record of this change could be kept ("), "{}", result.err);
    let out = tempfile::tempdir().unwrap();
    let output = command().env("XDG_STATE_HOME", "/dev/null").args(["export", at(&dir), "--out", at(&out)]).output();
    assert!(String::from_utf8(output.unwrap().stderr).unwrap().contains("no record of this change could be kept ("));
    assert!(!run(&["rename", at(&dir), "def", "gnome", "goblin"]).err.contains("no record"));
}

#[cfg(target_os = "linux")]
#[test]
fn temporary_files_go_with_their_processes() {
    let dir = small();
    let mut sleeper = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    let of = |process: &str| [".", "levels", "entities"].map(|it| format!("{it}/.levelwright-{process}-x1Y2z3.tmp"));
    let (ended, living) = (of(&ended_process()), of(&sleeper.id().to_string()));
    for file in ended.iter().chain(&living) {
        fs::write(dir.path().join(file), "half").unwrap();
    }
    assert_eq!(run(&["check", at(&dir)]).code, 0);
    assert!(ended.iter().all(|file| dir.path().join(file).exists()), "the process may be one of another container");
    for file in ended.iter().chain(&living) {
        let file = fs::File::options().write(true).open(dir.path().join(file)).unwrap();
        file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_hours(1)).unwrap();
    }
    assert_eq!(run(&["check", at(&dir)]).code, 0);
    assert!(!ended.iter().any(|file| dir.path().join(file).exists()));
    assert!(living.iter().all(|file| dir.path().join(file).exists()));
    drop(sleeper.stdin.take());
    sleeper.wait().unwrap();
    run(&["check", at(&dir)]);
    assert!(!living.iter().any(|file| dir.path().join(file).exists()));
}
