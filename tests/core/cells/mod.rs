//! Many cells changed at once: the value of each afterwards, the few operations for it, and text to and from
//! spreadsheets.

mod operations;
mod pasting;

use levelwright::{
    defs::{Resolution, resolve},
    edit::{Owner, apply_all},
    explain::Column,
    model::{EntityDef, OpKind, Project, Value, read_typed},
    refactor::{
        BadCell, CellAt, CellPlan, Sheet, State, calculate, cell_text, copy_cells, fill_down, part_change_edits,
        part_changes, part_named, paste_cells, read_tsv, reset_cells, type_into, write_tsv,
    },
};

use proptest::prelude::*;

use crate::{
    build::{Say, abstract_def, def, list, map, of_defs, path, st, sym},
    cases::cases,
    table::words,
};

fn game() -> Project {
    of_defs([
        ("monster", abstract_def(&[]).set("Health", "max", 20.0).set("Health", "lives", 3_i64)),
        ("goblin", def(&["monster"])),
        ("boss", def(&["goblin"]).set("Health", "max", 90.0).set("Health", "team", sym("Horde"))),
        ("elite", def(&["goblin"]).scale("Health", "max", 2.0)),
        ("fat", def(&["goblin"]).add("Health", "max", 5.0)),
        ("both", def(&["goblin"]).scale("Health", "max", 2.0).add("Health", "max", 1.0)),
        ("cart", def(&[]).set("Motor", "gear", st([("ratio", 2.0)])).set("Loot", "items", list(["a\tb", "\"q\""]))),
        ("rock", def(&[]).has("Body")),
    ])
}

struct Game {
    project: Project,
    resolution: Resolution,
}

impl Game {
    fn new(project: Project) -> Self {
        let resolution = resolve(&project, &words(), None);
        Self { project, resolution }
    }

    fn run<T>(&self, f: impl FnOnce(State<'_>) -> T) -> T {
        f(State { project: &self.project, builtin: &words(), resolution: &self.resolution })
    }

    /// Make a plan and resolve anew, from nothing.
    fn make(&mut self, plan: &CellPlan) {
        apply_all(&mut self.project, &plan.plan.edits).unwrap();
        self.resolution = resolve(&self.project, &words(), None);
    }

    fn shows(&self, cell: &str) -> String {
        self.run(|state| state.value(&at(cell)).map_or("-".into(), Value::to_string))
    }

    fn max(&self, names: &str) -> String {
        names.split(' ').map(|name| self.shows(&format!("{name} Health.max"))).collect::<Vec<_>>().join(" ")
    }

    fn declared(&self, name: &str, op: OpKind, field: &str) -> Option<&Value> {
        self.project.def(&path("entities/a.ron"), name).unwrap().ops.declared(op, "Health", field)
    }
}

/// `goblin Health.max`
fn at(text: &str) -> CellAt {
    let (name, column) = text.split_once(' ').unwrap();
    CellAt { doc: path("entities/a.ron"), name: name.into(), column: Column::parse(column).unwrap() }
}

fn max(names: &str) -> Vec<CellAt> {
    names.split(' ').map(|name| at(&format!("{name} Health.max"))).collect()
}

#[test]
fn heirs_in_the_selection_say_nothing_they_inherit() {
    let mut game = Game::new(game());
    let plan = game
        .run(|state| calculate(state, &max("elite boss goblin monster fat both"), OpKind::Scale, &Value::Float(2.0)));
    game.make(&plan);
    assert_eq!(game.max("monster goblin boss elite fat both"), "40.0 40.0 180.0 80.0 50.0 82.0");
    assert_eq!(game.declared("goblin", OpKind::Set, "max"), None);
    assert_eq!(game.declared("elite", OpKind::Scale, "max"), Some(&Value::Float(2.0)), "twice as much, as before");
    assert_eq!(game.declared("fat", OpKind::Add, "max"), Some(&Value::Float(10.0)), "an amount stays an amount");
    assert_eq!(plan.to_string(), "6 cells");
    assert_eq!(plan.plan.label, "Scale 6 cells by 2");
}

#[test]
fn one_value_for_all_though_they_inherit_from_each_other() {
    let mut game = Game::new(game());
    let plan = game.run(|state| type_into(state, &max("monster goblin elite boss"), "45").unwrap());
    game.make(&plan);
    assert_eq!(game.max("monster goblin boss elite fat"), "45.0 45.0 45.0 45.0 50.0");
    assert_eq!(plan.plan.edits.len(), 4, "monster and boss say it, elite takes its factor back and says it");
    // One that has the value already would lose it with its ancestor: it has to say it.
    let mut game = Game::new(self::game());
    let plan = game.run(|state| type_into(state, &max("monster elite"), "40").unwrap());
    assert_eq!(plan.n_changed, 1);
    game.make(&plan);
    assert_eq!(game.max("monster elite goblin"), "40.0 40.0 40.0");
}

#[test]
fn factors_and_summands_stay_what_they_are() {
    let elite = |op: OpKind, by: f64, name: &str| {
        let mut game = Game::new(game());
        let plan = game.run(|state| calculate(state, &max(name), op, &Value::Float(by)));
        game.make(&plan);
        let said = [OpKind::Set, OpKind::Scale, OpKind::Add].map(|op| game.declared(name, op, "max").cloned());
        (game.max(name), said.map(|value| value.map_or("-".to_owned(), |value| value.to_string())).join(" "))
    };
    let is = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(elite(OpKind::Scale, 1.5, "elite"), is("60.0", "- 3.0 -"));
    assert_eq!(elite(OpKind::Add, 5.0, "elite"), is("45.0", "- 2.0 5.0"));
    assert_eq!(elite(OpKind::Scale, 2.0, "fat"), is("50.0", "- - 30.0"));
    assert_eq!(elite(OpKind::Add, 1.5, "fat"), is("26.5", "- - 6.5"));
    assert_eq!(elite(OpKind::Add, -1.0, "both"), is("40.0", "- 2.0 -"));
    assert_eq!(elite(OpKind::Scale, 2.0, "both"), is("82.0", "82.0 - -"));
    assert_eq!(elite(OpKind::Scale, 0.5, "boss"), is("45.0", "45.0 - -"));
}

#[test]
fn whole_numbers_stay_whole() {
    let mut game = Game::new(game());
    let cells = [at("monster Health.lives"), at("boss Health.team"), at("rock Health.lives")];
    let plan = game.run(|state| calculate(state, &cells, OpKind::Scale, &Value::Float(1.5)));
    assert_eq!(
        plan.to_string(),
        "1 cell; 1 rounded to whole numbers; 2 left out (`scale` works on numbers only, alone or in pairs, and this is a bare word `Horde`)"
    );
    game.make(&plan);
    assert_eq!(game.shows("monster Health.lives"), "5");
    let plan = game.run(|state| calculate(state, &cells[..1], OpKind::Scale, &Value::Float(2.0)));
    game.make(&plan);
    assert_eq!(game.shows("boss Health.lives"), "10");
    assert_eq!((plan.n_rounded, plan.plan.label.as_str()), (0, "Scale monster's Health.lives by 2"));
}

#[test]
fn what_was_not_done_as_entered_has_a_reason() {
    let game = Game::new(game());
    let plan = game.run(|state| calculate(state, &[at("rock Body.velocity")], OpKind::Add, &Value::Float(5.0)));
    assert_eq!(plan.to_string(), "0 cells; 1 left out (`add` expects a pair `(x, y)` here, found a number `5.0`)");
    let mut game = game;
    let plan = pasted(&game, 0..2, 0..1, "×2\n+5").unwrap();
    assert_eq!(plan.to_string(), "2 cells; 1 set to the result, since a parent changes, too");
    game.make(&plan);
    assert_eq!(game.max("monster goblin"), "40.0 25.0");
}

#[test]
fn filled_down_and_reset() {
    let mut game = Game::new(game());
    let rows = ["boss", "goblin", "rock", "elite"];
    let rows: Vec<Vec<CellAt>> =
        rows.iter().map(|name| vec![at(&format!("{name} Health.max")), at(&format!("{name} Health.team"))]).collect();
    let plan = game.run(|state| fill_down(state, &rows));
    assert_eq!((plan.n_changed, plan.n_skipped), (4, 2), "a rock has no health");
    game.make(&plan);
    assert_eq!(game.max("goblin elite rock"), "90.0 90.0 -");
    assert_eq!(game.shows("elite Health.team"), "Horde");
    let plan = game.run(|state| reset_cells(state, &rows.concat()));
    game.make(&plan);
    assert_eq!(game.max("monster goblin boss elite"), "20.0 20.0 20.0 20.0");
    assert_eq!(plan.n_changed, 5, "elite has its team from goblin");
}

#[test]
fn members_of_a_struct_are_set_one_by_one() {
    let mut game = Game::new(game());
    let cells = [at("cart Motor.gear.ratio"), at("cart Motor.gear.teeth")];
    let plan = game.run(|state| calculate(state, &cells, OpKind::Scale, &Value::Float(2.0)));
    game.make(&plan);
    assert_eq!(game.shows("cart Motor.gear"), "(ratio: 4.0, teeth: 16)");
    let plan = game.run(|state| reset_cells(state, &cells[..1]));
    game.make(&plan);
    assert_eq!(game.shows("cart Motor.gear"), "(ratio: 1.0, teeth: 16)");
}

#[test]
fn cells_are_read_by_their_types() {
    let game = Game::new(game());
    for (cell, text, expected) in [
        ("boss Health.max", "45", "45.0"),
        ("boss Health.max", " 45 hp ", "45.0"),
        ("boss Health.max", "90", "90.0"),
        ("boss Health.max", "1e2", "100.0"),
        ("boss Health.max", "abc", "! `abc` is not a number; type one, as 12.5, or ×2, 50%, +5, -=5, =8*2"),
        ("boss Health.max", "1,5", "! `1,5` is not a number; write it with a point and without spaces"),
        ("boss Health.max", "", "! `` is not a number; type one, as 12.5, or ×2, 50%, +5, -=5, =8*2"),
        ("boss Health.lives", "4.0", "4"),
        ("boss Health.lives", "4.5", "! `4.5` is not whole, and only whole numbers fit"),
        ("boss Health.team", "keep", "Keep"),
        ("boss Health.team", "hord", "! `hord` is not a value of Team; did you mean `Horde`?"),
        ("rock Body.velocity", "1, 2", "(1.0, 2.0)"),
        (
            "rock Body.velocity",
            "(1 2)",
            "! `(1 2)` is not a pair of numbers; type one, as (8, 16), or ×2, ×(2, 1), 50%, +(5, 0)",
        ),
        ("cart Loot.items", "[\"x\", \"y\"]", "[\"x\", \"y\"]"),
        ("cart Loot.items", "\"x\"", "[\"x\"]"),
        ("cart Loot.items", "[1]", "! expected a string, found a whole number `1`"),
        ("cart Loot.layers", "World, Prop", "[World, Prop]"),
        ("rock Health.max", "1", "! rock has no Health; add the component in the inspector first"),
    ] {
        let mut game = Game::new(game.project.clone());
        let got = match game.run(|state| type_into(state, &[at(cell)], text)) {
            Ok(plan) => {
                game.make(&plan);
                game.shows(cell)
            }
            Err(bad) => format!("! {}", bad[0].message),
        };
        assert_eq!(got, expected, "{cell} ← {text}");
    }
}

const ROWS: [&str; 8] = ["monster", "goblin", "boss", "elite", "fat", "both", "cart", "rock"];

fn columns() -> Vec<Column> {
    ["Health.max", "Health.lives", "Health.team", "Motor.gear.ratio", "Loot.items", "Body.velocity"]
        .iter()
        .map(|column| Column::parse(column).unwrap())
        .collect()
}

/// All cells of some rows and columns.
fn grid(rows: std::ops::Range<usize>, cols: std::ops::Range<usize>) -> Vec<Vec<CellAt>> {
    let columns = columns();
    let row = |name: &&str| columns[cols.clone()].iter().map(|column| at(&format!("{name} {column}"))).collect();
    ROWS[rows].iter().map(row).collect()
}

/// Paste where rows and columns from these on are selected.
fn pasted(
    game: &Game,
    rows: std::ops::Range<usize>,
    cols: std::ops::Range<usize>,
    text: &str,
) -> Result<CellPlan, Vec<BadCell>> {
    let row = |i: usize| ROWS.get(i).map(|name| (path("entities/a.ron"), (*name).into()));
    let columns = columns();
    let sheet = Sheet { n_rows: ROWS.len(), row: &row, columns: &columns, rows, cols };
    game.run(|state| paste_cells(state, &sheet, text))
}

#[test]
fn a_field_knows_which_part_an_editor_is_for() {
    let value = st([
        ("sizes", list([1.0, 2.0])),
        ("packs", map([("bag.big", st([("n", 1.0)])), ("bag", st([("n", 2.0)]))])),
        ("at", Value::vec2(1.0, 2.0)),
    ]);
    let part = |name: &str| part_named("Kit.all", &value, name).map(|(path, component)| (path.to_string(), component));
    let is = |path: &str, component| Some((path.to_owned(), component));
    assert_eq!(part("Kit.all"), is("", None));
    assert_eq!(part("Kit.all.sizes[1]"), is("sizes[1]", None));
    assert_eq!(part("Kit.all.packs.bag.n"), is("packs.bag.n", None));
    assert_eq!(part("Kit.all.packs.bag.big.n").map(|(_, component)| component), Some(None));
    assert_eq!(part("Kit.all.at y"), is("at", Some(1)));
    for name in ["Kit.al", "Kit.all.size", "Kit.all.sizes[7]", "Kit.all factor", "Kit.allother"] {
        assert_eq!(part(name), None, "{name}");
    }
}
