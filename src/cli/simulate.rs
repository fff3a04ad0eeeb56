//! `simulate` and `test`: the preview without a window.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
};

use camino::Utf8Path;
use serde_json::json;

use super::{
    needs::Needs,
    profile,
    project::{Open, is_absent},
    report::{CommandReport, Failure},
};
use crate::{
    io::report::Reported,
    model::{DocKind, DocPath, Document, Finding, Scenario, Severity, counted, did_you_mean, mean},
    sim::{
        Options, TraceEvent, World,
        insight::profile::Span,
        scenario::Runner,
        world::{Wants, WhyStill},
    },
};

/// What `simulate` was asked for.
pub(super) struct Run<'a> {
    pub(super) level: Option<&'a str>,
    pub(super) secs: Option<f64>,
    pub(super) seed: Option<i64>,
    pub(super) scenario: Option<&'a str>,
    pub(super) trace: Option<&'a Utf8Path>,
    pub(super) poses: Option<u64>,
    /// Ids of entities of which it is explained why they stand still.
    pub(super) why: &'a [String],
    /// Whether to measure what ticks spend their time on.
    pub(super) is_measured: bool,
}

/// `simulate PROJECT LEVEL --secs S …`
pub(super) fn simulate(open: &Open, run: &Run<'_>) -> Result<CommandReport, Failure> {
    let scenario = run.scenario.map(|name| scenario(open, name)).transpose()?;
    let level = run.level.map(str::to_owned).or_else(|| scenario.as_ref().map(|s| s.level.to_string()));
    let level = level.ok_or_else(|| Failure::new("name a level, or a --scenario that does"))?;
    let secs = run.secs.or(scenario.as_ref().map(|s| s.secs));
    let secs = secs.ok_or_else(|| Failure::new("give a duration: --secs S, in seconds of the level's time"))?;
    if run.poses.is_some() && run.trace.is_none() {
        return Err(Failure::new("--poses goes into the trace: give its file with --trace FILE"));
    }
    let mut report = CommandReport::default();
    let mut runner = start(open, &level, secs, run.seed, scenario.as_ref(), run.poses, &mut report)
        // A level that only the scenario names is a file that is needed, not a word that was typed.
        .map_err(|failure| Failure { is_problem: failure.is_problem || run.level.is_none(), ..failure })?;
    if run.is_measured {
        runner.measure(profile::clock());
    }
    let mut needs = Needs::new(open);
    needs.run(&open.level(&level)?.1, runner.world());
    if let Some((_, doc)) = run.scenario.and_then(|name| open.scenario(name).ok()) {
        needs.document(&doc);
    }
    let (mut n_events, mut result) = (0_u64, Ok(()));
    let mut trace = run.trace.map(open_trace).transpose()?;
    runner.run(&mut |event| {
        n_events += 1;
        needs.event(event);
        result = trace.as_mut().map_or(Ok(()), |trace| write_event(trace, event));
        result.is_ok()
    });
    if let (Some(trace), Ok(())) = (&mut trace, &result) {
        result = trace.flush();
    }
    match (result, run.trace) {
        // A reader that has gone away has what it wanted.
        (Err(err), _) if err.kind() == io::ErrorKind::BrokenPipe => {}
        (Err(err), Some(path)) => return Err(Failure::problem(format!("cannot write `{path}`: {err}"))),
        _ => {}
    }
    let world = runner.world();
    needs.entities(world);
    add_needed(&mut report, &needs);
    let found = finish(&mut report, &runner, &needs);
    add_found(&mut report, &found, open);
    needs.add_to(&mut report);
    needs.count_others(&mut report);
    let explained = run.why.iter().map(|id| explain(world, id)).collect::<Result<Vec<_>, _>>()?;
    let n_entities = world.entities().count();
    // The last tick that happened, not the one that would be next.
    let ticks = world.tick().saturating_sub(1);
    #[expect(clippy::cast_precision_loss, reason = "a day has few ticks")]
    let secs = ticks as f64 * world.timestep_secs();
    let mut summary = json!({
        "level": &**world.level(),
        "secs": secs,
        "ticks": ticks,
        "entities": n_entities,
        "events": n_events,
        "hash": format!("{:016x}", world.hash()),
        "expectations": outcomes_json(&runner),
    });
    let is_traced_here = run.trace.is_some_and(|path| path == "-");
    if !explained.is_empty() {
        summary["why"] = explained.iter().map(why_json).collect();
    }
    if let Some(measured) = runner.profile() {
        summary["profile"] = profile::json(measured, world.time_secs());
    }
    if is_traced_here {
        // The last line of the trace.
        summary["event"] = "summary".into();
        report.is_one_line = true;
        report.notes.extend(why_lines(&explained));
    } else {
        report.line(format!(
            "{}: {}, {secs:.3} s; {}, {}; hash {:016x}",
            world.level(),
            counted(usize::try_from(ticks).unwrap_or(usize::MAX), "tick"),
            counted(n_entities, "entity"),
            counted(usize::try_from(n_events).unwrap_or(usize::MAX), "event"),
            world.hash()
        ));
        for line in outcome_lines(&runner) {
            report.line(line);
        }
        why_lines(&explained).into_iter().for_each(|line| report.line(line));
        if let Some(measured) = runner.profile() {
            measured.lines(Span::Whole).into_iter().for_each(|line| report.line(line));
        }
    }
    report.json = summary;
    Ok(report)
}

/// Why an entity stands still at the end of a run.
fn explain(world: &World, id: &str) -> Result<WhyStill, Failure> {
    let found = world.by_id(id).and_then(|key| world.why_still(key));
    found.ok_or_else(|| {
        let all: Vec<&str> = world.entities().map(|entity| &**entity.id).collect();
        let near = mean(did_you_mean(id, all)).map(|near| format!(": {near}")).unwrap_or_default();
        Failure::new(format!("no entity `{id}` is in the level at the end{near}"))
    })
}

fn why_lines(explained: &[WhyStill]) -> Vec<String> {
    let lines = |why: &WhyStill| {
        let first = format!("{}: {}.", why.cause.name(), why.sentence);
        let exits: Vec<String> = why.exits.iter().map(|exit| format!("    -> {exit}")).collect();
        std::iter::once(first).chain(exits)
    };
    explained.iter().flat_map(lines).collect()
}

fn why_json(why: &WhyStill) -> serde_json::Value {
    let at = |at: glam::Vec2| json!([at.x, at.y]);
    let states: Vec<_> =
        why.states.iter().map(|(machine, state)| json!({ "machine": machine, "state": state })).collect();
    json!({
        "entity": why.id,
        "cause": why.cause.name(),
        "sentence": why.sentence,
        "wants": wants_name(&why.wants),
        "goal": why.goal.map(at),
        "arrives": why.arrives,
        "at": why.at.map(at),
        "cell": why.cell,
        "by": why.by,
        "needs_px": why.needs_px,
        "has_px": why.has_px,
        "reached": why.reached.map(at),
        "path": why.path.iter().copied().map(at).collect::<Vec<_>>(),
        "states": states,
        "exits": why.exits,
    })
}

fn wants_name(wants: &Wants) -> &'static str {
    match wants {
        Wants::Nothing => "Nothing",
        Wants::ToStand => "ToStand",
        Wants::Route(_) => "Route",
        Wants::Place => "Place",
        Wants::Chase(_) => "Chase",
        Wants::Flee(_) => "Flee",
        Wants::Keys => "Keys",
        Wants::Flock => "Flock",
        Wants::Ride => "Ride",
        Wants::Track => "Track",
    }
}

/// `test PROJECT [SCENARIO…]`
pub(super) fn test(open: &Open, names: &[String]) -> Result<CommandReport, Failure> {
    let chosen: Vec<String> = if names.is_empty() {
        open.resolution.scenarios.keys().map(ToString::to_string).collect()
    } else {
        names.to_vec()
    };
    let mut report = CommandReport::default();
    let mut needs = Needs::new(open);
    if names.is_empty() {
        needs.every(DocKind::Scenario);
        // A scenario that cannot be read would otherwise be left out in silence.
        let of_scenarios = open.problems_where(|at| at.doc.kind() == Some(DocKind::Scenario));
        report.failed = of_scenarios.iter().any(|problem| problem.severity == Severity::Error);
    }
    let mut found = Vec::new();
    let (mut n_passed, mut n_failed) = (0, 0);
    let mut results = Vec::new();
    for name in &chosen {
        let scenario = scenario(open, name)?;
        let known = open.scenario(name);
        known.iter().for_each(|(_, doc)| needs.document(doc));
        let name = known.map_or_else(|_| name.as_str().into(), |(name, _)| name);
        let level = scenario.level.to_string();
        let runner = match start(open, &level, scenario.secs, None, Some(&scenario), None, &mut report) {
            Ok(mut runner) => {
                needs.run(&open.level(&level)?.1, runner.world());
                runner.run(&mut |event| {
                    needs.event(event);
                    true
                });
                needs.entities(runner.world());
                found.extend(finish(&mut report, &runner, &needs));
                runner
            }
            Err(failure) => {
                n_failed += 1;
                report.line(format!("FAIL {name}: {}", failure.message));
                results.push(json!({ "scenario": &*name, "passed": false, "error": failure.message }));
                continue;
            }
        };
        let outcomes = runner.outcomes();
        let is_fine = outcomes.iter().all(|outcome| outcome.passed) && runner.problems().is_empty();
        report.line(format!("{} {name} ({level}, {} s)", if is_fine { "ok  " } else { "FAIL" }, scenario.secs));
        for line in outcome_lines(&runner) {
            report.line(line);
        }
        n_passed += outcomes.iter().filter(|outcome| outcome.passed).count();
        n_failed += outcomes.iter().filter(|outcome| !outcome.passed).count() + runner.problems().len();
        results.push(json!({
            "scenario": &*name,
            "level": level,
            "passed": is_fine,
            "hash": format!("{:016x}", runner.world().hash()),
            "expectations": outcomes_json(&runner),
            "problems": runner.problems(),
        }));
    }
    add_needed(&mut report, &needs);
    add_found(&mut report, &found, open);
    needs.count_others(&mut report);
    report.line(format!("{n_passed} passed, {n_failed} failed"));
    report.json = json!({ "passed": n_passed, "failed": n_failed, "scenarios": results });
    report.failed |= n_failed > 0;
    Ok(report)
}

fn scenario(open: &Open, name: &str) -> Result<Scenario, Failure> {
    // A file anywhere will do, as long as it is a scenario.
    let known = open.scenario(name).ok().and_then(|(_, doc)| open.project.doc(&doc));
    if let Some(Document::Scenario(scenario)) = known.map(|doc| &**doc) {
        return Ok(scenario.clone());
    }
    let path = Utf8Path::new(name);
    let text = crate::io::files::read_named(path.as_std_path()).map_err(|why| {
        let unknown = if is_absent(&why) { open.scenario(name).err() } else { None };
        unknown.unwrap_or_else(|| Failure::problem(format!("`{path}` cannot be read: {why}")))
    })?;
    let doc = DocPath::new(&format!("scenarios/{}.ron", path.file_stem().unwrap_or("script")));
    let doc = doc.ok_or_else(|| Failure::new(format!("`{path}` is no name for a scenario")))?;
    match crate::io::load_one(&doc, &text) {
        (Some(Document::Scenario(scenario)), _) => Ok(scenario),
        (_, findings) => {
            let lines: Vec<String> = open.located(&findings).iter().map(ToString::to_string).collect();
            Err(Failure::problem(format!("`{path}` is not a scenario:\n{}", lines.join("\n"))))
        }
    }
}

/// A world at its first moment, with the script ready.
fn start(
    open: &Open,
    level: &str,
    secs: f64,
    seed: Option<i64>,
    scenario: Option<&Scenario>,
    poses: Option<u64>,
    report: &mut CommandReport,
) -> Result<Runner, Failure> {
    let (name, _) = open.level(level)?;
    let seed = seed.or(scenario.and_then(|scenario| scenario.seed)).map(i64::cast_unsigned);
    let world = World::compile(&open.project, &open.resolution, &name, Options { seed });
    let world = world.map_err(|findings| {
        let lines: Vec<String> = open.located(&findings).iter().map(ToString::to_string).collect();
        report.failed = true;
        Failure::problem(format!("`{name}` cannot run:\n{}", lines.join("\n")))
    })?;
    Ok(Runner::new(world, secs, scenario, poses))
}

/// Add the problems of what runs needed: with an error among them, not all that was declared took part.
fn add_needed(report: &mut CommandReport, needs: &Needs<'_>) {
    report.problems = needs.problems();
    // A run draws nothing, so a picture that is missing is no part of it.
    let mut errors = report.problems.iter().filter(|problem| problem.severity == Severity::Error);
    report.failed |= errors.any(|problem| problem.rule != "image-missing");
}

/// Add what became of a run to the report. Returns what is wrong with what it needed.
fn finish(report: &mut CommandReport, runner: &Runner, needs: &Needs<'_>) -> Vec<Finding> {
    report.failed |= runner.world().overload().is_some();
    report.notes.extend(runner.problems().iter().map(|problem| format!("run: {problem}")));
    needs.found_by(runner.world()).cloned().collect()
}

/// Add what runs found to the problems of what they needed.
fn add_found(report: &mut CommandReport, found: &[Finding], open: &Open) {
    for problem in open.located(found) {
        if report.problems.contains(&problem) {
            continue;
        }
        report.failed |= problem.severity == Severity::Error;
        // `check` has the same with help, and of a state that is not there in other words.
        let is_same = |it: &Reported| {
            let is_there = (&it.rule, &it.file, it.line, it.column)
                == (&problem.rule, &problem.file, problem.line, problem.column);
            is_there && (it.message == problem.message || problem.rule == "unknown-state")
        };
        if !report.problems.iter().any(is_same) {
            report.problems.push(problem);
        }
    }
}

fn outcome_lines(runner: &Runner) -> Vec<String> {
    let line = |outcome: crate::sim::scenario::ExpectationResult| {
        if outcome.passed {
            format!("    ok   {} (at {:.2} s)", outcome.sentence, outcome.at_secs)
        } else {
            format!("    FAIL {}: {}", outcome.sentence, outcome.found)
        }
    };
    runner.outcomes().into_iter().map(line).collect()
}

fn outcomes_json(runner: &Runner) -> Vec<serde_json::Value> {
    let entry = |outcome: crate::sim::scenario::ExpectationResult| {
        json!({
            "expectation": outcome.sentence,
            "passed": outcome.passed,
            "at": outcome.at_secs,
            "found": if outcome.passed { None } else { Some(outcome.found) },
        })
    };
    runner.outcomes().into_iter().map(entry).collect()
}

fn open_trace(path: &Utf8Path) -> Result<Box<dyn Write>, Failure> {
    if path == "-" {
        return Ok(Box::new(BufWriter::new(io::stdout().lock())));
    }
    let file = File::create(path).map_err(|err| Failure::problem(format!("cannot write `{path}`: {err}")))?;
    Ok(Box::new(BufWriter::new(file)))
}

fn write_event(out: &mut dyn Write, event: &TraceEvent) -> io::Result<()> {
    serde_json::to_writer(&mut *out, event).map_err(io::Error::from)?;
    out.write_all(b"\n")
}
