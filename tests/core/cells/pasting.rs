//! Cells to and from spreadsheets.

use super::*;

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
