//! The command line in a terminal and in a shell: help, completions, version, colors, and no display.

use std::process::Stdio;

use crate::cli::{at, command, project, run};

#[test]
fn help_command_says_what_the_command_s_help_says() {
    for command in ["check", "resolve", "simulate"] {
        let (word, option) = (run(&["help", command]), run(&[command, "--help"]));
        assert_eq!((word.code, word.out), (0, option.out));
    }
    assert_eq!(run(&["help"]).out, run(&["--help"]).out);
    assert_eq!(run(&["help", "chekc"]).code, 2);
}

#[test]
fn completions_name_every_command() {
    for (shell, mark) in [("bash", "complete -F"), ("zsh", "#compdef levelwright"), ("fish", "complete -c levelwright")]
    {
        let script = run(&["completions", shell]);
        assert_eq!(script.code, 0, "{}", script.err);
        assert!(script.out.contains(mark), "{shell}");
        for word in ["check", "simulate", "deny", "completions"] {
            assert!(script.out.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(run(&["completions", "tcsh"]).code, 2);
}

#[test]
fn the_version_is_one_line_with_the_commit_of_a_checkout() {
    let version = run(&["--version"]);
    assert_eq!(version.code, 0);
    let own = format!("levelwright {}", env!("CARGO_PKG_VERSION"));
    assert!(version.out.starts_with(&own) && version.out.lines().count() == 1, "{}", version.out);
    // A source archive has no `.git`; a checkout without Git has no commit to name.
    let is_checkout = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(".git").exists();
    let has_git = std::process::Command::new("git").args(["rev-parse", "HEAD"]).output();
    if is_checkout && has_git.is_ok_and(|output| output.status.success()) {
        let words = version.out.split(['(', ')', ' ', '\n']);
        let is_commit = |word: &str| word.len() >= 7 && word.chars().all(|c| c.is_ascii_hexdigit());
        assert!(words.into_iter().any(is_commit), "{}", version.out);
    }
}

/// What `check` writes to standard error with these variables, none of them set otherwise.
fn check_with(dir: &str, format: &str, variables: &[(&str, &str)]) -> String {
    let mut command = command();
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command.envs(variables.iter().copied()).args(["check", dir, "--format", format]).stdin(Stdio::null());
    String::from_utf8(command.output().unwrap().stderr).unwrap()
}

fn without_colors(text: &str) -> String {
    regex::Regex::new("\u{1b}\\[[0-9;]*m").unwrap().replace_all(text, "").into_owned()
}

#[test]
fn problems_are_in_color_only_where_color_is_wanted() {
    let dir = project(&[("entities/a.ron", "{ \"a\": (inherits: [\"b\"], set: (Nothing: ())) }\n")]);
    for format in ["text", "excerpt"] {
        let plain = check_with(at(&dir), format, &[]);
        assert!(plain.contains("entities/a.ron") && !plain.contains('\u{1b}'), "no terminal, no color: {plain}");
        let forced = check_with(at(&dir), format, &[("CLICOLOR_FORCE", "1")]);
        assert!(forced.contains("\u{1b}["), "{forced}");
        assert_eq!(without_colors(&forced), plain);
        assert_eq!(check_with(at(&dir), format, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), plain);
    }
    // The format that says nothing else.
    assert!(check_with(at(&dir), "text", &[]).starts_with("error["));
    assert!(check_with(at(&dir), "excerpt", &[]).contains("1 | { \"a\": (inherits"));
}

#[test]
fn help_and_mistakes_are_in_color_only_where_color_is_wanted() {
    for args in [&["--help"][..], &["--nonsense"], &["check", "nowhere at all"]] {
        let forced = command().args(args).env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1").output().unwrap();
        let plain = command().args(args).env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1").output().unwrap();
        for (forced, plain) in [(forced.stdout, plain.stdout), (forced.stderr, plain.stderr)] {
            let (forced, plain) = (String::from_utf8(forced).unwrap(), String::from_utf8(plain).unwrap());
            assert_eq!(forced.is_empty(), plain.is_empty());
            assert!(
                !plain.contains('\u{1b}') && (forced.is_empty() || forced.contains('\u{1b}')),
                "{args:?}: {forced}"
            );
            assert_eq!(without_colors(&forced), plain);
        }
    }
}

#[cfg(all(feature = "gui", target_os = "linux"))]
#[test]
fn without_a_display_the_window_says_so_in_one_line() {
    for display in [None, Some(("DISPLAY", ":4711")), Some(("WAYLAND_DISPLAY", "wayland-none"))] {
        let mut command = command();
        for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "RUST_LOG"] {
            command.env_remove(variable);
        }
        let output = command.envs(display).args(["edit", "sample_data"]).stdin(Stdio::null()).output().unwrap();
        let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!((output.status.code(), &*out), (Some(1), ""), "{display:?}: {err}");
        assert_eq!(err.lines().count(), 1, "{display:?}: {err}");
        assert!(err.starts_with("error: there is no display") && err.contains("--help"), "{display:?}: {err}");
    }
}
