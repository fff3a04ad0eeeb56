//! The routing of messages through machines, against a host that only records its calls.

use std::{collections::BTreeSet, sync::Arc};

use proptest::prelude::*;

use crate::cases::cases;

use levelwright::{
    model::{Call, Condition, DocPath, Fields, Finding, Machine, Name, Schema, State, Transition, Trigger, Value},
    sim::{
        EntityKey,
        behavior::{BuiltinAction, Cursor, Host, Mail, MailQueue, MsgId, Program, Question, Symbols, compile, run},
    },
};

/// Writes everything down. Conditions `Flag(name)` hold while `flags` has the name; actions are noted by their text.
#[derive(Default)]
struct Fake {
    lines: Vec<String>,
    flags: BTreeSet<String>,
    timers: Vec<(u16, u32, u16, f64)>,
    problem: Option<String>,
}

impl Host for Fake {
    fn ask(&mut self, _: &Program, _: &mut Cursor, question: &Question) -> bool {
        let Question::Other(call) = question else { panic!("unexpected {question:?}") };
        self.flags.contains(call.args["name"].as_str().unwrap())
    }
    fn act(&mut self, _: &Program, _: &Cursor, _: u16, action: &BuiltinAction) {
        let BuiltinAction::Other(call) = action else { panic!("unexpected {action:?}") };
        self.lines.push(call.args["text"].as_str().unwrap().to_owned());
    }
    fn start_timer(&mut self, state: u16, entry: u32, transition: u16, secs: f64) {
        self.timers.push((state, entry, transition, secs));
    }
    fn handled(&mut self, by: Option<&Name>) {
        self.lines.push(by.map_or("unhandled".into(), |by| format!("by:{by}")));
    }
    fn transition(&mut self, from: &Name, to: &Name, _: Option<MsgId>) {
        self.lines.push(format!("{from}→{to}"));
    }
    fn entered(&mut self, state: &Name) {
        self.lines.push(format!("+{state}"));
    }
    fn exited(&mut self, state: &Name) {
        self.lines.push(format!("-{state}"));
    }
    fn problem(&mut self, text: String) {
        self.problem = Some(text);
    }
}

fn call(name: &str, arg: &str, value: &str) -> Call {
    Call { name: name.into(), args: [(arg.into(), Value::str(value))].into() }
}

fn note(text: &str) -> Vec<Call> {
    vec![call("Note", "text", text)]
}

fn go(state: &str) -> Vec<Call> {
    vec![call("SetState", "state", state)]
}

fn flag(name: &str) -> Condition {
    Condition::Call(call("Flag", "name", name))
}

fn on(message: &str, to: &str) -> Transition {
    Transition { trigger: Trigger::On(message.into()), guard: None, actions: vec![], to: to.into() }
}

fn when(name: &str, to: &str) -> Transition {
    Transition { trigger: Trigger::When(flag(name)), guard: None, actions: vec![], to: to.into() }
}

fn state(initial: Option<&str>, states: Vec<(&str, State)>) -> State {
    State {
        initial: initial.map(Into::into),
        states: states.into_iter().map(|(name, state)| (name.into(), state)).collect(),
        ..State::default()
    }
}

fn leaf(transitions: Vec<Transition>) -> State {
    State { transitions, ..State::default() }
}

/// A machine that runs.
struct Rig {
    program: Program,
    cursor: Cursor,
    symbols: Symbols,
    host: Fake,
    findings: Vec<Finding>,
}

impl Rig {
    fn new(root: State) -> Self {
        let (mut symbols, mut findings) = (Symbols::default(), Vec::new());
        let machine = Machine { root, ..Machine::default() };
        let doc = DocPath::new("machines/m.ron").unwrap();
        let program = compile(&"m".into(), &machine, &doc, &Schema::default(), &mut symbols, &mut findings);
        let cursor = Cursor::new(&program);
        Self { program, cursor, symbols, host: Fake::default(), findings }
    }

    fn started(root: State) -> Self {
        let mut rig = Self::new(root);
        rig.start();
        rig
    }

    /// The lines since the last call, joined.
    fn lines(&mut self) -> String {
        std::mem::take(&mut self.host.lines).join(" ")
    }

    fn start(&mut self) -> String {
        run::start(&self.program, &mut self.cursor, &mut self.host);
        self.lines()
    }

    fn send(&mut self, message: &str) -> String {
        let message = self.symbols.intern(message);
        run::dispatch(&self.program, &mut self.cursor, message, &mut self.host);
        self.lines()
    }

    fn at(&self) -> &str {
        self.program.path(self.cursor.current())
    }
}

#[test]
fn the_attitude_table() {
    let columns = ["seen", "attacks", "gone", "hurt", "healed"];
    let rows = [
        ("uncaring", ["annoyed", "mad", "·", "·", "·"]),
        ("annoyed", ["·", "rage", "uncaring", "·", "uncaring"]),
        ("mad", ["·", "·", "·", "rage", "uncaring"]),
        ("rage", ["·", "·", "·", "berserk", "annoyed"]),
        ("berserk", ["·", "·", "·", "berserk", "rage"]),
    ];
    let states = rows
        .iter()
        .map(|(name, row)| {
            let cells = columns.iter().zip(row).filter(|(_, to)| **to != "·");
            (*name, leaf(cells.map(|(message, to)| on(message, to)).collect()))
        })
        .collect();
    let root = state(Some("uncaring"), states);
    for (from, row) in rows {
        for (message, to) in columns.iter().zip(row) {
            let mut rig = Rig::started(root.clone());
            // By the table itself to the state the row is about.
            let way: &[&str] = match from {
                "annoyed" => &["seen"],
                "mad" => &["attacks"],
                "rage" => &["attacks", "hurt"],
                "berserk" => &["attacks", "hurt", "hurt"],
                _ => &[],
            };
            for message in way {
                rig.send(message);
            }
            assert_eq!(rig.at(), from);
            let lines = rig.send(message);
            if to == "·" {
                assert_eq!((rig.at(), &*lines), (from, "unhandled"), "{from} on {message}");
            } else {
                let expected = format!("by:{from} {from}→{to} -{from} +{to}");
                assert_eq!((rig.at(), lines), (to, expected), "{from} on {message}");
            }
        }
    }
}

#[test]
fn nested_states_leave_up_to_the_common_ancestor_then_do_then_enter_down() {
    let noting = |name: &str, mut state: State| {
        state.enter = note(&format!("enter {name}"));
        state.exit = note(&format!("exit {name}"));
        state
    };
    let mut fire = leaf(vec![on("deep", "B/C/D")]);
    fire.transitions[0].actions = note("do");
    let a =
        noting("A", state(Some("Aim"), vec![("Aim", noting("Aim", fire)), ("Fire", noting("Fire", State::default()))]));
    let d = noting("D", state(Some("E"), vec![("E", noting("E", State::default()))]));
    let b = noting("B", state(Some("C"), vec![("C", noting("C", state(None, vec![("D", d)])))]));
    let mut rig = Rig::new(state(Some("A"), vec![("A", a), ("B", b)]));
    assert_eq!(rig.start(), "+ +A enter A +A/Aim enter Aim");
    assert_eq!(
        rig.send("deep"),
        "by:A/Aim A/Aim→B/C/D -A/Aim exit Aim -A exit A do +B enter B +B/C enter C +B/C/D enter D +B/C/D/E enter E"
    );
    assert_eq!(rig.at(), "B/C/D/E");
}

#[test]
fn messages_bubble_from_the_innermost_and_transitions_come_before_handlers() {
    let mut inner = leaf(vec![]);
    inner.on.insert("both".into(), note("inner"));
    let mut guarded = on("guarded", "Inner");
    guarded.guard = Some(flag("open"));
    let mut outer = state(Some("Inner"), vec![("Inner", inner), ("Other", leaf(vec![]))]);
    outer.transitions = vec![on("both", "Other"), guarded, on("up", "Outer/Other")];
    outer.on.insert("up".into(), note("never"));
    outer.on.insert("guarded".into(), note("fallback"));
    let mut root = state(Some("Outer"), vec![("Outer", outer)]);
    root.on.insert("root".into(), note("root"));
    let mut rig = Rig::started(root);
    assert_eq!(rig.send("both"), "by:Outer/Inner inner", "the inner handler consumes");
    assert_eq!(rig.send("guarded"), "by:Outer fallback", "a guard that does not hold lets the handler have it");
    assert_eq!(rig.send("root"), "by: root");
    assert_eq!(rig.send("nobody"), "unhandled");
    assert_eq!(rig.send("up"), "by:Outer Outer/Inner→Outer/Other -Outer/Inner +Outer/Other");
    rig.host.flags.insert("open".into());
    assert_eq!(rig.send("guarded"), "by:Outer Outer/Other→Outer/Inner -Outer/Other +Outer/Inner");
}

#[test]
fn the_last_request_of_a_response_wins_and_the_own_state_is_entered_again() {
    let mut a = leaf(vec![]);
    a.on.insert("twice".into(), [go("B"), go("C")].concat());
    a.on.insert("again".into(), go("A"));
    let mut rig = Rig::started(state(Some("A"), vec![("A", a), ("B", leaf(vec![])), ("C", leaf(vec![]))]));
    assert_eq!(rig.send("again"), "by:A A→A -A +A");
    assert_eq!(rig.send("twice"), "by:A A→C -A +C", "B is never entered");
}

#[test]
fn asking_for_an_ancestor_enters_its_initial_again() {
    let outer = state(Some("X"), vec![("X", leaf(vec![on("next", "Y")])), ("Y", leaf(vec![on("back", "Outer")]))]);
    let mut rig = Rig::started(state(Some("Outer"), vec![("Outer", outer)]));
    rig.send("next");
    assert_eq!(rig.send("back"), "by:Outer/Y Outer/Y→Outer -Outer/Y +Outer/X");
}

#[test]
fn requests_of_enter_go_on_and_the_roots_replaces_its_initial() {
    let mut a = leaf(vec![]);
    a.enter = go("B");
    let mut rig = Rig::new(state(Some("A"), vec![("A", a.clone()), ("B", leaf(vec![]))]));
    assert_eq!(rig.start(), "+ +A A→B -A +B");
    let mut root = state(Some("A"), vec![("A", a), ("B", leaf(vec![]))]);
    root.enter = go("B");
    assert_eq!(Rig::new(root).start(), "+ →B +B", "A is never entered");
    assert_eq!(Rig::new(State::default()).start(), "+", "the smallest machine");
}

#[test]
fn a_machine_that_goes_in_circles_is_stopped_and_the_loop_named() {
    let bounce = |to: &str| State { enter: go(to), ..State::default() };
    let start = leaf(vec![on("go", "Ping")]);
    let states = vec![("Start", start), ("Ping", bounce("Pong")), ("Pong", bounce("Ping"))];
    let mut rig = Rig::started(state(Some("Start"), states));
    let lines = rig.send("go");
    assert_eq!(lines.matches('→').count(), run::MAX_CHANGES);
    let problem = rig.host.problem.take().unwrap();
    assert!(problem.contains("`Ping` → `Pong` → `Ping`") || problem.contains("`Pong` → `Ping` → `Pong`"), "{problem}");
    assert!(rig.cursor.is_stopped());
    assert_eq!(rig.send("go"), "", "it answers nothing any more");

    // One change less is fine: as many as there are states in a row.
    let chain: Vec<(String, State)> = (0..64)
        .map(|i| (format!("s{i}"), if i < 63 { bounce(&format!("s{}", i + 1)) } else { leaf(vec![]) }))
        .collect();
    let mut states: Vec<(&str, State)> = chain.iter().map(|(name, state)| (&**name, state.clone())).collect();
    states.push(("Start", leaf(vec![on("go", "s0")])));
    let mut rig = Rig::started(state(Some("Start"), states));
    rig.send("go");
    assert_eq!((rig.at(), rig.cursor.is_stopped()), ("s63", false));
}

#[test]
fn update_asks_when_transitions_innermost_first_then_update_actions_then_the_parent() {
    let mut inner = leaf(vec![when("first", "B"), when("second", "C")]);
    inner.update = note("inner");
    let mut outer = state(Some("Inner"), vec![("Inner", inner), ("Quiet", leaf(vec![on("wake", "Inner")]))]);
    outer.transitions = vec![when("outer", "C")];
    outer.update = note("outer");
    let mut rig = Rig::started(state(Some("Outer"), vec![("Outer", outer), ("B", leaf(vec![])), ("C", leaf(vec![]))]));
    rig.host.flags.insert("outer".into());
    assert_eq!(rig.send("Update"), "inner", "the inner update consumes; the outer transition is not asked");
    rig.host.flags.extend(["first".into(), "second".into()]);
    assert_eq!(rig.send("Update"), "Outer/Inner→B -Outer/Inner -Outer +B");
    assert_eq!(rig.send("Update"), "", "nothing to do is no message");
}

#[test]
fn a_scope_is_one_entry_of_a_state() {
    let timed = Transition { trigger: Trigger::After(2.0), guard: None, actions: vec![], to: "B".into() };
    let a = leaf(vec![timed, on("again", "A"), on("b", "B")]);
    let mut rig = Rig::started(state(Some("A"), vec![("A", a), ("B", leaf(vec![on("a", "A")]))]));
    let (state, first, timer, secs) = rig.host.timers.pop().unwrap();
    assert_eq!((secs, rig.program.path(state).to_string()), (2.0, "A".to_owned()));
    assert!(rig.cursor.is_current(&rig.program, state, first));
    rig.send("again");
    assert!(!rig.cursor.is_current(&rig.program, state, first), "the same state, another entry");
    let (_, second, ..) = rig.host.timers.pop().unwrap();
    assert!(rig.cursor.is_current(&rig.program, state, second));
    rig.lines();
    assert!(run::time_out(&rig.program, &mut rig.cursor, timer, &mut rig.host));
    assert_eq!(rig.lines(), "by:A A→B -A +B");
    rig.send("a");
    assert!(!rig.cursor.is_current(&rig.program, state, second));
}

#[test]
fn finishing_leaves_every_state_with_the_root_last() {
    let outer = state(Some("In"), vec![("In", leaf(vec![]))]);
    let mut rig = Rig::started(state(Some("Out"), vec![("Out", outer)]));
    run::finish(&rig.program, &mut rig.cursor, &mut rig.host);
    assert_eq!(rig.lines(), "-Out/In -Out -");
    assert!(!rig.cursor.is_started());
}

#[test]
fn what_cannot_be_resolved_is_left_out_with_a_finding() {
    let a = leaf(vec![on("x", "Atack"), on("x", "Attack")]);
    let mut rig = Rig::started(state(Some("A"), vec![("A", a), ("Attack", leaf(vec![]))]));
    let finding = rig.findings.iter().find(|finding| &*finding.rule == "unknown-state").unwrap();
    assert_eq!(finding.help.as_deref(), Some("did you mean `Attack`?"));
    assert_eq!(finding.location.path.to_string(), "m.states.A.transitions[0].to");
    assert_eq!(rig.send("x"), "by:A A→Attack -A +Attack");
}

#[test]
fn an_edited_machine_keeps_its_place_or_takes_the_nearest_ancestor() {
    let inside = |names: &[&str]| state(names.first().copied(), names.iter().map(|n| (*n, leaf(vec![]))).collect());
    let old = Rig::started(state(Some("Fight"), vec![("Fight", inside(&["Aim", "Fire"]))]));
    assert_eq!(old.at(), "Fight/Aim");
    let mut new = Rig::new(state(Some("Rest"), vec![("Rest", leaf(vec![])), ("Fight", inside(&["Wait", "Fire"]))]));
    let (cursor, lost) = old.cursor.moved(&old.program, &new.program);
    assert!(lost);
    new.cursor = cursor;
    run::resume(&new.program, &mut new.cursor, &mut new.host);
    assert_eq!(new.lines(), "+Fight/Wait");
    assert_eq!(new.at(), "Fight/Wait");
    let (kept, lost) = old.cursor.moved(&old.program, &old.program);
    assert!(!lost && kept == old.cursor);
}

fn mail(name: u32) -> Mail {
    Mail {
        name: MsgId(name),
        from: None,
        to: EntityKey::default(),
        to_id: "x".into(),
        payload: Arc::new(Fields::new()),
        scope: None,
        timer: None,
    }
}

#[test]
fn mail_comes_by_time_then_in_the_order_it_was_sent() {
    let mut queue = MailQueue::default();
    queue.send(0, 3.0, mail(30));
    queue.send(0, 1.5, mail(15));
    queue.send(0, 0.0, mail(0));
    queue.send(0, 2.0, mail(20));
    queue.send(0, 1.5, mail(16));
    let due = |queue: &mut MailQueue, tick| -> Vec<u32> {
        std::iter::from_fn(|| queue.next(tick)).map(|mail| mail.name.0).collect()
    };
    assert_eq!(due(&mut queue, 0), [0]);
    assert_eq!(due(&mut queue, 1), [0; 0]);
    queue.send(2, 0.0, mail(99));
    assert_eq!(due(&mut queue, 2), [15, 16, 20, 99], "due in the first tick that is not before its time");
    assert_eq!(due(&mut queue, 3), [30]);
    assert!(queue.is_empty());
}

#[test]
fn delays_do_not_drift_by_rounding() {
    // 0.1 s × 60 Hz is 6.000000000000001 ticks in floats.
    for (secs, hz, tick) in
        [(5.0, 64.0, 320), (0.1, 60.0, 6), (0.3, 10.0, 3), (0.7, 1000.0, 700), (1.0 / 3.0, 60.0, 20)]
    {
        let mut queue = MailQueue::default();
        queue.send(0, secs * hz, mail(1));
        assert_eq!(queue.next(tick - 1), None, "{secs} s at {hz} Hz");
        assert!(queue.next(tick).is_some(), "{secs} s at {hz} Hz");
    }
}

#[test]
fn odd_names_of_states_do_no_harm() {
    let inner = state(None, vec![("B", leaf(vec![on("x", "C")])), ("", leaf(vec![]))]);
    let mut rig =
        Rig::started(state(Some("A"), vec![("A", inner), ("A/B", leaf(vec![])), ("C", leaf(vec![on("y", "A/B")]))]));
    for message in ["x", "y", "x", "y"] {
        rig.send(message);
    }
    assert!(!rig.cursor.is_stopped());
}

/// A state with children down to some depth; transitions and requests lead anywhere, also nowhere.
fn any_state(depth: u32) -> BoxedStrategy<State> {
    let address =
        prop_oneof![Just("a"), Just("b"), Just("c"), Just("a/b"), Just("b/a"), Just("a/a/c"), Just(""), Just("gone")];
    let message = prop_oneof![Just("m"), Just("n"), Just("Update")];
    let transitions = prop::collection::vec((message.clone(), address.clone()), 0..3);
    let requests = prop::collection::vec(address.clone(), 0..2);
    let own = (transitions, requests.clone(), requests, prop::option::weighted(0.5, address), message);
    let make = |((transitions, enter, handler, initial, message), children): (
        (Vec<(&str, &str)>, Vec<&str>, Vec<&str>, Option<&str>, &str),
        Vec<State>,
    )| {
        let mut state = state(initial, ["a", "b", "c"].into_iter().zip(children).collect());
        state.transitions = transitions.into_iter().map(|(message, to)| on(message, to)).collect();
        // Rarely: a machine that requests on every entry soon goes in circles.
        state.enter = enter.into_iter().skip(1).flat_map(go).collect();
        if !handler.is_empty() {
            state.on.insert(message.into(), handler.into_iter().flat_map(go).collect());
        }
        state
    };
    if depth == 0 {
        (own, Just(Vec::new())).prop_map(make).boxed()
    } else {
        (own, prop::collection::vec(any_state(depth - 1), 0..4)).prop_map(make).boxed()
    }
}

proptest! {
    #![proptest_config(cases(256))]

    /// Whatever the machine: states are entered parents first and left children first, each entry is left once, and the
    /// active ones are always one path.
    #[test]
    fn enters_and_exits_are_brackets(
        root in any_state(3),
        messages in prop::collection::vec(prop_oneof![Just("m"), Just("n"), Just("Update"), Just("other")], 0..24),
    ) {
        let mut rig = Rig::new(root);
        let mut open: Vec<String> = Vec::new();
        run::start(&rig.program, &mut rig.cursor, &mut rig.host);
        for message in messages.into_iter().map(Some).chain([None]) {
            for line in std::mem::take(&mut rig.host.lines) {
                if let Some(path) = line.strip_prefix('+') {
                    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
                    prop_assert!(open.last().map_or(path.is_empty(), |top| top == parent), "{} in {:?}", line, open);
                    open.push(path.to_owned());
                } else if let Some(path) = line.strip_prefix('-') {
                    let top = open.pop();
                    prop_assert_eq!(top.as_deref(), Some(path));
                }
            }
            if !rig.cursor.is_stopped() {
                prop_assert_eq!(open.last().map(String::as_str), Some(rig.at()));
            }
            if let Some(message) = message {
                let message = rig.symbols.intern(message);
                run::dispatch(&rig.program, &mut rig.cursor, message, &mut rig.host);
            }
        }
    }
}
