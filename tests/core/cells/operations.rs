//! Operations typed into cells.

use super::*;

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
    // One that declares nothing declares the operation, one that declares a factor changes it, one that inherits
    // follows.
    let game = typed("goblin elite", "×2");
    assert_eq!(game.declared("goblin", OpKind::Scale, "max"), Some(&Value::Float(2.0)));
    assert_eq!(
        game.declared("elite", OpKind::Scale, "max"),
        Some(&Value::Float(2.0)),
        "twice what is twice as much now"
    );
    assert_eq!(game.max("goblin elite boss"), "40.0 80.0 90.0");
    assert_eq!(typed("elite", "×1.5").declared("elite", OpKind::Scale, "max"), Some(&Value::Float(3.0)));
    assert_eq!(typed("fat", "+2").declared("fat", OpKind::Add, "max"), Some(&Value::Float(7.0)));
    assert_eq!(typed("boss", "+10").declared("boss", OpKind::Set, "max"), Some(&Value::Float(100.0)));
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
        assert_eq!(of_b.declared(OpKind::Set, "Body", "velocity"), declared, "{text}: b follows a");
    }
    let mut game = Game::new(project());
    let plan = game.run(|state| type_into(state, &[at("b Body.velocity")], "×2").unwrap());
    game.make(&plan);
    let of_b = &game.project.def(&path("entities/a.ron"), "b").unwrap().ops;
    assert_eq!(of_b.declared(OpKind::Scale, "Body", "velocity"), Some(&Value::Float(2.0)));
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
    assert_eq!(of_b.declared(OpKind::Scale, "Body", "velocity"), Some(&Value::Float(3.0)));
}

/// What a definition declares by an operation of another kind stays an operation, for vectors and members as for
/// numbers.
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
            let value = ops.declared(op, &column.component, &column.field).and_then(|value| value.at(&column.inner));
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
    let part_changes = part_changes(&game.resolution.schema, subjects, &column, None, &typed);
    let results: Vec<String> = part_changes.iter().map(|it| it.after.as_ref().unwrap().0.to_string()).collect();
    assert_eq!(results, ["30.0", "30.0", "100.0", "50.0"], "what the field shows before Enter");
    let edits = part_change_edits(&game.project, &words(), &game.resolution, part_changes);
    apply_all(&mut game.project, &edits).unwrap();
    game.resolution = resolve(&game.project, &words(), None);
    assert_eq!(game.max("monster goblin boss elite"), "30.0 30.0 100.0 50.0");
    assert_eq!(game.declared("goblin", OpKind::Add, "max"), None, "it follows its ancestor");
}
