//! Many cells changed at once: what each amounts to afterwards, how little is said for it, and text to and from spreadsheets.

use levelwright::{
    defs::{Resolution, resolve},
    edit::{Owner, apply_all},
    explain::Column,
    model::{EntityDef, OpKind, Project, Value, read_typed},
    refactor::{
        BadCell, CellAt, CellPlan, Sheet, State, calculate, cell_text, copy_cells, fill_down, outcome_edits, outcomes,
        part_named, paste_cells, read_tsv, reset_cells, type_into, write_tsv,
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

    fn said(&self, name: &str, op: OpKind, field: &str) -> Option<&Value> {
        self.project.def(&path("entities/a.ron"), name).unwrap().ops.said(op, "Health", field)
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
    assert_eq!(game.said("goblin", OpKind::Set, "max"), None);
    assert_eq!(game.said("elite", OpKind::Scale, "max"), Some(&Value::Float(2.0)), "twice as much, as before");
    assert_eq!(game.said("fat", OpKind::Add, "max"), Some(&Value::Float(10.0)), "an amount stays an amount");
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
        let said = [OpKind::Set, OpKind::Scale, OpKind::Add].map(|op| game.said(name, op, "max").cloned());
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
        ("boss Health.team", "hord", "! `hord` is no word of Team; did you mean `Horde`?"),
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

fn why(result: Result<CellPlan, Vec<BadCell>>) -> String {
    result.unwrap_err().iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ")
}

#[test]
fn what_is_copied_is_pasted_without_an_edit() {
    let game = Game::new(game());
    let (plain, full) = game.run(|state| {
        let all = grid(0..8, 0..6);
        (copy_cells(state, &all, false), copy_cells(state, &all, true))
    });
    assert_eq!(pasted(&game, 0..1, 0..1, &plain).unwrap().plan.edits, []);
    for from in [0..1, 5..6] {
        assert_eq!(pasted(&game, from, 2..3, &full).unwrap().plan.edits, [], "names and headers say where it goes");
    }
    assert!(full.starts_with("definition\tHealth.max\tHealth.lives"), "{full}");
    let crlf = full.replace('\n', "\r\n");
    assert_eq!(pasted(&game, 0..1, 0..1, &crlf).unwrap().plan.edits, []);
}

#[test]
fn a_reordered_sheet_lands_right() {
    let mut game = Game::new(game());
    let text = "\tHealth.lives\tHealth.max\nboss\t7\t91\nmonster\t\t21\n";
    let plan = pasted(&game, 4..5, 1..2, text).unwrap();
    game.make(&plan);
    assert_eq!(game.max("monster boss goblin"), "21.0 91.0 21.0");
    assert_eq!((game.shows("boss Health.lives"), game.shows("monster Health.lives")), ("7".into(), "3".into()));
    // Names without a header: columns from the selected one on.
    let plan = pasted(&game, 0..1, 0..1, "goblin\t5\nboss\t6").unwrap();
    game.make(&plan);
    assert_eq!(game.max("goblin boss"), "5.0 6.0");
    // A header without names: rows from the selected one on.
    let plan = pasted(&game, 1..2, 0..1, "Health.lives\n8\n9").unwrap();
    game.make(&plan);
    assert_eq!((game.shows("goblin Health.lives"), game.shows("boss Health.lives")), ("8".into(), "9".into()));
}

#[test]
fn one_value_fills_a_selection_and_sizes_that_do_not_fit_are_said() {
    let mut game = Game::new(game());
    let plan = pasted(&game, 1..4, 0..1, "33\n").unwrap();
    game.make(&plan);
    assert_eq!(game.max("goblin boss elite"), "33.0 33.0 33.0");
    assert_eq!(
        why(pasted(&game, 0..4, 0..1, "1\n2\n3")),
        "3 × 1 cells were copied and 4 × 1 are selected; select one cell to paste from there"
    );
    assert_eq!(why(pasted(&game, 6..7, 0..1, "1\n2\n3")), "3 rows were copied, and only 2 are there from here down");
    assert_eq!(why(pasted(&game, 0..1, 5..6, "1\t2")), "2 columns were copied, and only 1 are there from here on");
    assert_eq!(why(pasted(&game, 0..1, 0..1, "\n")), "there are no cells on the clipboard");
}

#[test]
fn every_bad_cell_is_named_and_nothing_is_half_done() {
    let game = Game::new(game());
    let text = "name\tHealth.max\tHealth.lives\nboss\tmany\t2.5\nrock\t4\t\ngobln\t1\t1\nboss\t1\t1";
    assert_eq!(
        why(pasted(&game, 0..1, 0..1, text)),
        "row 4, column 1: there is no definition `gobln`; did you mean `goblin`?"
    );
    assert_eq!(
        why(pasted(&game, 0..1, 0..1, &text.replace("gobln\t1\t1\n", ""))),
        "row 2, column 2: boss Health.max: `many` is not a number; type one, as 12.5, or ×2, 50%, +5, -=5, =8*2 | \
         row 2, column 3: boss Health.lives: `2.5` is not whole, and only whole numbers fit | \
         row 3, column 2: rock Health.max: rock has no Health; add the component in the inspector first | \
         row 4, column 2: boss Health.max: is there twice; the first is in row 2, column 2 | \
         row 4, column 3: boss Health.lives: is there twice; the first is in row 2, column 3"
    );
    assert_eq!(
        why(pasted(&game, 0..1, 0..1, "name\tHealth.mx\tHealth.lives\nboss\t1\t1")),
        "row 1, column 2: there is no column `Health.mx`; did you mean `Health.max`?"
    );
}

#[test]
fn tables_are_read_as_spreadsheets_write_them() {
    for (text, rows) in [
        ("a\tb\nc\td\n", vec![vec!["a", "b"], vec!["c", "d"]]),
        ("a\r\nb", vec![vec!["a"], vec!["b"]]),
        ("a\rb\r", vec![vec!["a"], vec!["b"]]),
        ("\"a\tb\nc\"\td", vec![vec!["a\tb\nc", "d"]]),
        ("\"say \"\"hi\"\"\"", vec![vec!["say \"hi\""]]),
        ("\"a\" b\tc", vec![vec!["\"a\" b", "c"]]),
        ("[\"x\", \"y\"]\t\"", vec![vec!["[\"x\", \"y\"]", "\""]]),
        ("a\n\nb", vec![vec!["a"], vec![""], vec!["b"]]),
        ("\t\n", vec![vec!["", ""]]),
        ("", vec![]),
    ] {
        assert_eq!(read_tsv(text), rows, "{text:?}");
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn any_table_survives_the_clipboard(
        rows in proptest::collection::vec(proptest::collection::vec("[a\"\t\n\r ,\\[]{0,6}", 3), 1..6)
    ) {
        prop_assert_eq!(read_tsv(&write_tsv(&rows)), rows);
    }

    /// Whatever numbers come back from a spreadsheet are what the cells amount to, and the next copy says so.
    #[test]
    fn pasted_numbers_are_what_cells_amount_to(
        numbers in proptest::collection::vec((-1e6..1e6f64, 0..100i64), 6),
        shuffle in Just((0..6usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let mut game = Game::new(game());
        let mut text = "definition\tHealth.max\tHealth.lives\n".to_owned();
        for i in &shuffle {
            text.push_str(&format!("{}\t{}\t{}\n", ROWS[*i], numbers[*i].0, numbers[*i].1));
        }
        let plan = pasted(&game, 0..1, 0..1, &text).unwrap();
        game.make(&plan);
        for (name, (max, lives)) in ROWS.iter().zip(&numbers) {
            prop_assert_eq!(game.shows(&format!("{name} Health.max")), Value::Float(*max).to_string());
            prop_assert_eq!(game.shows(&format!("{name} Health.lives")), lives.to_string());
        }
        let again = game.run(|state| copy_cells(state, &grid(0..6, 0..2), true));
        prop_assert_eq!(pasted(&game, 2..3, 0..1, &again).unwrap().plan.edits, vec![]);
        prop_assert_eq!(cell_text(&Value::Float(numbers[0].0)).parse::<f64>(), Ok(numbers[0].0));
    }

    /// Whatever is selected, a factor is what every cell of it changes by.
    #[test]
    fn a_factor_is_what_all_cells_change_by(
        factor in -8.0..8.0f64,
        chosen in proptest::sample::subsequence(vec![0, 1, 2, 3, 4, 5], 1..=6),
    ) {
        let mut game = Game::new(game());
        let names: Vec<&str> = chosen.iter().map(|i| ROWS[*i]).collect();
        let number = |game: &Game, name: &str| game.shows(&format!("{name} Health.max")).parse::<f64>().unwrap();
        let before: Vec<f64> = names.iter().map(|name| number(&game, name)).collect();
        let plan = game.run(|state| calculate(state, &max(&names.join(" ")), OpKind::Scale, &Value::Float(factor)));
        game.make(&plan);
        for (name, before) in names.iter().zip(before) {
            let after = number(&game, name);
            prop_assert!((after - before * factor).abs() <= 1e-8 * before.abs().max(1.0), "{} is {}", name, after);
        }
    }
}

/// What is typed into the cells of several definitions gives each its own result.
#[test]
fn operations_are_typed_into_cells() {
    let typed = |cells: &str, text: &str| {
        let mut game = Game::new(game());
        let plan = game.run(|state| type_into(state, &max(cells), text).unwrap());
        game.make(&plan);
        game
    };
    for text in ["×2", "x2", "*2", "200%", "x 2 hp", "/0.5"] {
        assert_eq!(typed("goblin boss", text).max("goblin boss"), "40.0 180.0", "{text}");
    }
    for (text, both) in [("x0.5", "10.0 45.0"), ("50%", "10.0 45.0"), ("+10", "30.0 100.0"), ("-=5", "15.0 85.0")] {
        assert_eq!(typed("goblin boss", text).max("goblin boss"), both, "{text}");
    }
    assert_eq!(typed("goblin boss", "=8*2").max("goblin boss"), "16.0 16.0");
    // One that declares nothing declares the operation, one that declares a factor changes it, one that inherits follows.
    let game = typed("goblin elite", "×2");
    assert_eq!(game.said("goblin", OpKind::Scale, "max"), Some(&Value::Float(2.0)));
    assert_eq!(game.said("elite", OpKind::Scale, "max"), Some(&Value::Float(2.0)), "twice what is twice as much now");
    assert_eq!(game.max("goblin elite boss"), "40.0 80.0 90.0");
    assert_eq!(typed("elite", "×1.5").said("elite", OpKind::Scale, "max"), Some(&Value::Float(3.0)));
    assert_eq!(typed("fat", "+2").said("fat", OpKind::Add, "max"), Some(&Value::Float(7.0)));
    assert_eq!(typed("boss", "+10").said("boss", OpKind::Set, "max"), Some(&Value::Float(100.0)));
    let wrong = |cell: &str, text: &str| {
        let game = Game::new(self::game());
        game.run(|state| type_into(state, &[at(cell)], text).unwrap_err()[0].to_string())
    };
    assert!(wrong("goblin Health.max", "8*2").contains("=8*2"), "{}", wrong("goblin Health.max", "8*2"));
    assert_eq!(wrong("goblin Health.max", "/0"), "goblin Health.max: `/0` divides by zero");
    let lives = |text: &str| {
        let mut game = Game::new(self::game());
        let plan = game.run(|state| type_into(state, &[at("monster Health.lives")], text).unwrap());
        game.make(&plan);
        format!("{} {plan}", game.shows("monster Health.lives"))
    };
    assert_eq!(lives("x1.5"), "5 1 cell; 1 rounded to whole numbers");
    assert_eq!(lives("+2"), "5 1 cell");
}

#[test]
fn operations_are_typed_into_cells_of_vectors_and_members() {
    let project = || {
        of_defs([
            ("a", def(&[]).set("Body", "velocity", Value::vec2(3.0, 4.0)).set("Motor", "gear", st([("ratio", 2.0)]))),
            ("b", def(&["a"])),
            ("c", def(&[]).set("Body", "velocity", Value::vec2(10.0, 0.0)).set("Motor", "gear", st([("ratio", 5.0)]))),
        ])
    };
    for (text, shown, declared) in [
        ("×2", "(6.0, 8.0) (6.0, 8.0) (20.0, 0.0)", None),
        ("x(2, 1)", "(6.0, 4.0) (6.0, 4.0) (20.0, 0.0)", None),
        ("+(1, -1)", "(4.0, 3.0) (4.0, 3.0) (11.0, -1.0)", None),
        ("50%", "(1.5, 2.0) (1.5, 2.0) (5.0, 0.0)", None),
    ] {
        let mut game = Game::new(project());
        let cells = ["a", "b", "c"].map(|name| at(&format!("{name} Body.velocity")));
        let plan = game.run(|state| type_into(state, &cells, text).unwrap());
        game.make(&plan);
        let all = ["a", "b", "c"].map(|name| game.shows(&format!("{name} Body.velocity")));
        assert_eq!(all.join(" "), shown, "{text}");
        let of_b = &game.project.def(&path("entities/a.ron"), "b").unwrap().ops;
        assert_eq!(of_b.said(OpKind::Set, "Body", "velocity"), declared, "{text}: b follows a");
    }
    let mut game = Game::new(project());
    let plan = game.run(|state| type_into(state, &[at("b Body.velocity")], "×2").unwrap());
    game.make(&plan);
    let of_b = &game.project.def(&path("entities/a.ron"), "b").unwrap().ops;
    assert_eq!(of_b.said(OpKind::Scale, "Body", "velocity"), Some(&Value::Float(2.0)));
    let cells = ["a", "b", "c"].map(|name| at(&format!("{name} Motor.gear.ratio")));
    let plan = game.run(|state| type_into(state, &cells, "+10").unwrap());
    game.make(&plan);
    let all = ["a", "b", "c"].map(|name| game.shows(&format!("{name} Motor.gear.ratio")));
    assert_eq!(all.join(" "), "12.0 12.0 15.0");
}

/// Factors and amounts entered for what is picked take vectors along; cells that they do not fit are left out.
#[test]
fn a_factor_is_for_numbers_and_vectors() {
    let project = || {
        of_defs([
            ("a", def(&[]).set("Body", "velocity", Value::vec2(3.0, 4.0)).set("Health", "max", 10.0)),
            ("b", def(&["a"]).scale("Body", "velocity", 2.0)),
        ])
    };
    let mut game = Game::new(project());
    let cells = ["a Body.velocity", "a Health.max", "b Body.velocity", "b Loot.items"].map(at);
    let plan = game.run(|state| calculate(state, &cells, OpKind::Scale, &Value::Float(1.5)));
    assert_eq!(plan.to_string(), "3 cells; 1 left out");
    game.make(&plan);
    assert_eq!(["a Body.velocity", "b Body.velocity"].map(|cell| game.shows(cell)), ["(4.5, 6.0)", "(9.0, 12.0)"]);
    let plan = game.run(|state| calculate(state, &cells, OpKind::Add, &Value::vec2(1.0, 0.0)));
    assert_eq!(plan.plan.label, "Add (1, 0) to 2 cells");
    let why = "`add` expects a number, found a tuple `(1.0, 0.0)`";
    assert_eq!(plan.to_string(), format!("2 cells; 2 left out ({why})"), "a number takes no pair");
    game.make(&plan);
    assert_eq!(["a Body.velocity", "b Body.velocity"].map(|cell| game.shows(cell)), ["(5.5, 6.0)", "(10.0, 12.0)"]);
    // A factor of its own is multiplied.
    let mut game = Game::new(project());
    let plan = game.run(|state| calculate(state, &cells[2..3], OpKind::Scale, &Value::Float(1.5)));
    game.make(&plan);
    let of_b = &game.project.def(&path("entities/a.ron"), "b").unwrap().ops;
    assert_eq!(of_b.said(OpKind::Scale, "Body", "velocity"), Some(&Value::Float(3.0)));
}

/// What a definition declares by an operation of another kind stays an operation, for vectors and members as for numbers.
#[test]
fn a_factor_keeps_the_operations_of_vectors_and_members() {
    let kept = |b: EntityDef, cell: &str, op: OpKind, operand: Value| {
        let a = def(&[]).set("Body", "velocity", Value::vec2(3.0, 4.0)).set("Motor", "gear", st([("ratio", 2.0)]));
        let mut game = Game::new(of_defs([("a", a), ("b", b)]));
        let plan = game.run(|state| calculate(state, &[at(cell)], op, &operand));
        game.make(&plan);
        let ops = &game.project.def(&path("entities/a.ron"), "b").unwrap().ops;
        let column = at(cell).column;
        let declared = [OpKind::Set, OpKind::Scale, OpKind::Add].map(|op| {
            let value = ops.said(op, &column.component, &column.field).and_then(|value| value.at(&column.inner));
            value.map_or("-".to_owned(), Value::to_string)
        });
        (game.shows(cell), declared.join(" "))
    };
    let is = |value: &str, declared: &str| (value.to_owned(), declared.to_owned());
    let b = || def(&["a"]);
    let velocity = |def: EntityDef, op, operand| kept(def, "b Body.velocity", op, operand);
    let (pair, number) = (Value::vec2, Value::Float);
    let moved = b().add("Body", "velocity", pair(5.0, 0.0));
    assert_eq!(velocity(moved.clone(), OpKind::Scale, number(2.0)), is("(16.0, 8.0)", "- - (13.0, 4.0)"));
    assert_eq!(velocity(moved.clone(), OpKind::Add, pair(0.5, 1.0)), is("(8.5, 5.0)", "- - (5.5, 1.0)"));
    assert_eq!(velocity(moved, OpKind::Scale, pair(0.375, 1.0)), is("(3.0, 4.0)", "- - -"), "nothing is added");
    let faster = b().scale("Body", "velocity", 2.0);
    assert_eq!(velocity(faster.clone(), OpKind::Add, pair(1.0, 0.0)), is("(7.0, 8.0)", "- 2.0 (1.0, 0.0)"));
    let both = faster.add("Body", "velocity", pair(1.0, 0.0));
    assert_eq!(velocity(both, OpKind::Add, pair(-1.0, 0.0)), is("(6.0, 8.0)", "- 2.0 -"));
    let own = b().set("Body", "velocity", pair(1.0, 1.0)).add("Body", "velocity", pair(1.0, 0.0));
    assert_eq!(velocity(own, OpKind::Scale, number(2.0)), is("(4.0, 2.0)", "(4.0, 2.0) - -"));
    let ratio = |def: EntityDef, op, operand| kept(def, "b Motor.gear.ratio", op, operand);
    let longer = b().add("Motor", "gear", st([("ratio", 1.0)]));
    assert_eq!(ratio(longer, OpKind::Scale, number(2.0)), is("6.0", "- - 4.0"));
    let double = b().scale("Motor", "gear", st([("ratio", 2.0)]));
    assert_eq!(ratio(double, OpKind::Add, number(1.0)), is("5.0", "- 2.0 1.0"));
}

/// The fields for factors and amounts are for what can be calculated with, optional numbers too.
#[test]
fn cells_that_can_be_calculated_with_are_known() {
    let optional = |value: Value| Value::Tagged("Some".into(), Box::new(Value::Tuple(vec![value])));
    let game = Game::new(of_defs([
        ("a", def(&[]).set("Body", "velocity", Value::vec2(3.0, 4.0)).set("Custom", "limit", optional(3.0.into()))),
        ("b", def(&[]).set("Health", "max", 10.0).set("Loot", "items", list(["key"]))),
    ]));
    for (cell, is_calculable) in [
        ("a Body.velocity", true),
        ("a Custom.limit", true),
        ("b Health.max", true),
        ("b Loot.items", false),
        ("b Body.velocity", false),
    ] {
        assert_eq!(game.run(|state| state.is_calculable(&at(cell))), is_calculable, "{cell}");
        let plan = game.run(|state| calculate(state, &[at(cell)], OpKind::Scale, &Value::Float(2.0)));
        assert_eq!(plan.n_changed == 1, is_calculable, "{cell}");
    }
}

#[test]
fn operations_are_pasted() {
    let mut game = Game::new(game());
    let columns = [Column::parse("Health.max").unwrap()];
    let names = ["goblin", "boss"];
    let row = |i: usize| Some((path("entities/a.ron"), (*names.get(i)?).into()));
    let sheet = Sheet { n_rows: 2, row: &row, columns: &columns, rows: 0..2, cols: 0..1 };
    let plan = game.run(|state| paste_cells(state, &sheet, "x2\n=8*2\n").unwrap());
    game.make(&plan);
    assert_eq!(game.max("goblin boss"), "40.0 16.0");
    let bad = game.run(|state| paste_cells(state, &sheet, "x2\n8*2\n").unwrap_err());
    assert!(bad[0].to_string().starts_with("row 2, column 1: boss Health.max: `8*2` is not a number"), "{}", bad[0]);
}

/// What the Inspector does: an operation for each of several, placed entities and parts among them.
#[test]
fn each_of_several_gets_its_own_result() {
    let mut game = Game::new(game());
    let names = ["monster", "goblin", "boss", "elite"];
    let all = |game: &Game| names.map(|name| game.resolution.defs[name].clone());
    let owner = |name: &str| Owner::Def { doc: path("entities/a.ron"), name: name.into() };
    let owners = names.map(owner);
    let column = Column::parse("Health.max").unwrap();
    let typed = read_typed("+10", None).unwrap();
    let resolved = all(&game);
    let subjects = owners.iter().zip(resolved.iter().map(|it| &**it));
    let outcomes = outcomes(&game.resolution.schema, subjects, &column, None, &typed);
    let results: Vec<String> = outcomes.iter().map(|it| it.after.as_ref().unwrap().0.to_string()).collect();
    assert_eq!(results, ["30.0", "30.0", "100.0", "50.0"], "what the field shows before Enter");
    let edits = outcome_edits(&game.project, &words(), &game.resolution, outcomes);
    apply_all(&mut game.project, &edits).unwrap();
    game.resolution = resolve(&game.project, &words(), None);
    assert_eq!(game.max("monster goblin boss elite"), "30.0 30.0 100.0 50.0");
    assert_eq!(game.said("goblin", OpKind::Add, "max"), None, "it follows its ancestor");
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
