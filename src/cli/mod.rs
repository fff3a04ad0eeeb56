//! The command line: everything the program does without a window, and the way into the window.
//!
//! Invariant: a command reads its arguments and its project and returns a report; printing, exit codes and closed
//! pipes are settled here, once. What commands print is a contract; see the README.

mod args;
mod change;
mod color;
mod files;
mod needs;
mod output;
mod path;
mod profile;
mod project;
mod report;
mod resolve;
mod schema;
mod simulate;
mod streams;

use std::{ffi::OsString, fmt::Write as _, io, process::ExitCode};

use clap::{CommandFactory as _, Parser as _};

use args::{CheckFormat, Cli, CliCommand, Shell};
use project::Open;
use report::{CommandReport, Failure};
use streams::{eprint, print};

use crate::{
    model::{Severity, counted, did_you_mean, mean},
    refactor::Named,
};

/// Run the program with the process's arguments.
#[must_use]
pub fn main() -> ExitCode {
    run(std::env::args_os())
}

/// Run the program with these arguments, the first being its own name.
#[must_use]
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let cli = match Cli::try_parse_from(&args) {
        Ok(cli) => cli,
        Err(err) => {
            if let Some(failure) = unknown_command(&err, &args) {
                return fail(&failure, args.iter().any(|arg| arg == "--json"));
            }
            // Help goes to standard output and is no mistake.
            let (text, styled) = (err.render().to_string(), err.render().ansi().to_string());
            if err.use_stderr() {
                if args.iter().any(|arg| arg == "--json") {
                    print(&format!("{}\n", serde_json::json!({ "error": first_paragraph(&text) })));
                }
                eprint(if color::taken_by(&io::stderr()) { &styled } else { &text });
                return ExitCode::from(2);
            }
            print(if color::taken_by(&io::stdout()) { &styled } else { &text });
            return ExitCode::SUCCESS;
        }
    };
    let is_json_format = matches!(&cli.command, Some(CliCommand::Check { format: Some(CheckFormat::Json), .. }));
    let json = cli.json || is_json_format;
    let command = match cli.command {
        None => return window(cli.project.as_deref(), json),
        Some(CliCommand::Edit { project }) => return window(project.as_deref(), json),
        Some(command) => command,
    };
    let mut notes = Vec::new();
    let done = perform(command, &typed(&args), &mut notes);
    for note in &notes {
        eprint(&format!("{note}\n"));
    }
    match done {
        Ok(report) => {
            let in_color = color::taken_by(&io::stderr());
            for problem in &report.problems {
                let line = if in_color { color::problem(problem) } else { problem.to_string() };
                eprint(&format!("{line}\n"));
            }
            for note in &report.notes {
                eprint(&format!("{note}\n"));
            }
            let text = match json {
                true if report.is_one_line => format!("{}\n", report.json),
                true => format!("{}\n", pretty(&report.json)),
                false => report.text,
            };
            let is_printed = print(&text);
            if report.failed || !is_printed { ExitCode::from(1) } else { ExitCode::SUCCESS }
        }
        Err(failure) => fail(&failure, json),
    }
}

/// The mistake in a line whose first word is neither a command nor all there is: it was read as the folder of a
/// project.
fn unknown_command(err: &clap::Error, args: &[OsString]) -> Option<Failure> {
    let word = args.get(1)?.to_str().filter(|word| !word.starts_with('-'))?;
    let command = Cli::command();
    let commands: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    if err.kind() != clap::error::ErrorKind::ArgumentConflict || commands.contains(&word) {
        return None;
    }
    let help = mean(did_you_mean(word, commands)).unwrap_or_else(|| "`levelwright --help` lists them".to_owned());
    Some(Failure::new(format!("there is no command `{word}`; {help}")))
}

/// What the user typed, without the program's name.
fn typed(args: &[OsString]) -> String {
    args.iter().skip(1).map(|arg| arg.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Do what was typed; `notes` are about what was found in the project before.
fn perform(command: CliCommand, typed: &str, notes: &mut Vec<String>) -> Result<CommandReport, Failure> {
    let mut open = |dir: &camino::Utf8Path| {
        let open = Open::at(dir, typed)?;
        notes.extend(open.interrupted.iter().map(ToString::to_string));
        Ok::<_, Failure>(open)
    };
    match command {
        CliCommand::Edit { .. } => Ok(CommandReport::default()),
        CliCommand::Check { project, deny, format, github } => {
            let open = open(&project.dir)?;
            let mut report = check(&open, deny.is_some());
            if format == Some(CheckFormat::Excerpt) {
                let in_color = color::taken_by(&io::stderr());
                let problems = std::mem::take(&mut report.problems);
                let excerpts = problems.iter().map(|it| it.excerpt(&open.sources, in_color) + "\n");
                report.notes = excerpts.chain(std::mem::take(&mut report.notes)).collect();
            }
            if github || format == Some(CheckFormat::Github) {
                let is_file = project.dir.file_name() == Some("project.ron");
                let folder = if is_file { project.dir.parent().unwrap_or(&project.dir) } else { &project.dir };
                let lines = report.problems.iter().map(|problem| problem.github(folder.as_str()) + "\n");
                report.text = lines.chain([std::mem::take(&mut report.text)]).collect();
            }
            Ok(report)
        }
        CliCommand::New { dir, template } => files::new(&dir, template),
        CliCommand::Fmt { project, check } => files::fmt(&open(&project.dir)?, check),
        CliCommand::Fix { project, rule, all, dry_run } => {
            change::fix(open(&project.dir)?, rule.as_deref(), all, dry_run)
        }
        CliCommand::Resolve { project, name, explain } => resolve::resolve(&open(&project.dir)?, &name, explain),
        CliCommand::Export { project, out, target } => output::export(&open(&project.dir)?, &out, &target),
        CliCommand::Simulate { project, level, secs, seed, scenario, trace, poses, why, profile } => {
            let run = simulate::Run {
                level: level.as_deref(),
                secs,
                seed,
                scenario: scenario.as_deref(),
                trace: trace.as_deref(),
                poses,
                why: &why,
                is_measured: profile,
            };
            simulate::simulate(&open(&project.dir)?, &run)
        }
        CliCommand::Test { project, scenarios } => simulate::test(&open(&project.dir)?, &scenarios),
        CliCommand::Path { project, level, from, to, on, agent, weight } => {
            path::path(&open(&project.dir)?, &level, [from, to], on.as_deref(), &agent, weight)
        }
        CliCommand::Render { project, level, out, scale, overlay, secs, transparent, camera } => {
            let camera = camera.as_deref();
            let picture = output::Picture { scale, is_transparent: transparent, camera, overlays: &overlay, secs };
            output::render(&open(&project.dir)?, &level, &out, &picture)
        }
        CliCommand::Rename { project, kind, old, new, dry_run } => {
            change::rename(&mut open(&project.dir)?, &Named::new(kind.into(), old), &new, dry_run)
        }
        CliCommand::Schema { out, project, kind, twin, complete } => match (twin, complete) {
            (Some(file), _) => schema::mirror(&file),
            (None, Some(how)) => schema::complete(project.map(|dir| open(&dir)).transpose()?.as_ref(), how),
            (None, None) => schema::schema(out.as_deref(), project.map(|dir| open(&dir)).transpose()?.as_ref(), kind),
        },
        CliCommand::Completions { shell } => Ok(completions(shell)),
        CliCommand::Import { .. } => Err(Failure::new("importing TMX, TMJ and LDtk is not in this version")),
    }
}

/// `check PROJECT [--deny warnings] [--format F]`
fn check(open: &Open, deny_warnings: bool) -> CommandReport {
    let problems = open.problems();
    let listed = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
    let n = |severity| listed(severity) + open.n_left_out(severity);
    let (errors, warnings, hints) = (n(Severity::Error), n(Severity::Warning), n(Severity::Hint));
    let mut left_out: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    open.left_out.iter().for_each(|((rule, _), n)| *left_out.entry(rule).or_default() += n);
    let notes = left_out.iter().map(|(rule, n)| format!("{n} more of {rule} are not listed")).collect();
    let mut report = CommandReport {
        notes,
        failed: errors > 0 || (deny_warnings && warnings > 0),
        json: serde_json::json!({ "problems": problems, "left_out": left_out }),
        ..CommandReport::default()
    };
    let counts = [(open.sources.files().len(), "file"), (errors, "error"), (warnings, "warning"), (hints, "hint")];
    let [files, errors, warnings, hints] = counts.map(|(n, noun)| counted(n, noun));
    report.line(format!("{files}: {errors}, {warnings}, {hints}"));
    report.problems = problems;
    report
}

/// `completions SHELL`
fn completions(shell: Shell) -> CommandReport {
    let mut script = Vec::new();
    let mut command = Cli::command();
    let shell = match shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
    };
    clap_complete::generate(shell, &mut command, "levelwright", &mut script);
    let text = String::from_utf8_lossy(&script).into_owned();
    CommandReport { json: serde_json::json!({ "script": text }), text, ..CommandReport::default() }
}

fn window(project: Option<&camino::Utf8Path>, json: bool) -> ExitCode {
    let opened = check_window_argument(project).and_then(|()| open_window(project));
    opened.map_or_else(|failure| fail(&failure, json), |()| ExitCode::SUCCESS)
}

#[cfg(feature = "gui")]
fn open_window(project: Option<&camino::Utf8Path>) -> Result<(), Failure> {
    crate::app::run(project.map(camino::Utf8Path::to_path_buf)).map_err(|why| Failure::problem(format!("{why:#}")))
}

#[cfg(not(feature = "gui"))]
fn open_window(_project: Option<&camino::Utf8Path>) -> Result<(), Failure> {
    Err(Failure::new("this build has no window (it was made without the feature `gui`); see `levelwright --help`"))
}

/// A word that is no folder is more likely a mistyped command.
fn check_window_argument(project: Option<&camino::Utf8Path>) -> Result<(), Failure> {
    let Some((project, why)) = project.and_then(|project| Some((project, std::fs::metadata(project).err()?))) else {
        return Ok(());
    };
    if !project::is_absent(&why) {
        return Err(Failure::problem(format!("`{project}` cannot be opened: {why}")));
    }
    let command = Cli::command();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    let near = crate::model::did_you_mean(project.as_str(), names);
    let help = near.map(|near| format!("; did you mean the command `{near}`?")).unwrap_or_default();
    Err(Failure::new(format!("there is no folder `{project}`{help}")))
}

fn fail(failure: &Failure, json: bool) -> ExitCode {
    if json {
        print(&format!("{}\n", serde_json::json!({ "error": failure.message })));
    }
    let error = "error:";
    let error = if color::taken_by(&io::stderr()) { color::painted(Severity::Error, error) } else { error.to_owned() };
    eprint(&format!("{error} {}\n", failure.message));
    ExitCode::from(if failure.is_problem { 1 } else { 2 })
}

fn pretty(json: &serde_json::Value) -> String {
    serde_json::to_string_pretty(json).unwrap_or_default()
}

fn first_paragraph(text: &str) -> String {
    let lines = text.lines().take_while(|line| !line.trim().is_empty());
    let mut out = String::new();
    for line in lines {
        let _ = write!(out, "{}{}", if out.is_empty() { "" } else { " " }, line.trim());
    }
    out.strip_prefix("error: ").map(str::to_owned).unwrap_or(out)
}
