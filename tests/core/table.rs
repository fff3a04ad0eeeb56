//! The definitions table: the tree, what a filter leaves, how columns are sorted, and what a cell shows.

use std::{collections::BTreeSet, sync::Arc};

use levelwright::{
    defs::{Resolution, resolve},
    edit::{Edit, Owner, apply},
    explain::{
        Arrangement, Cell, Column, Filter, Outline, SortBy, Sources, Standing, Table, choices, first_columns,
        resolved_of,
    },
    model::{Builtin, FieldPath, FieldType, Name, Project, Value},
};

use crate::build::{Say, abstract_def, builtin, component, def, default, entities, field, of_defs, path, project, st};

/// The small vocabulary with a struct in it.
pub(crate) fn words() -> Builtin {
    let mut builtin = builtin();
    let gear = [("ratio".into(), default(FieldType::Float, 1.0)), ("teeth".into(), default(FieldType::Int, 8_i64))];
    let motor = component([("gear", field(FieldType::Struct(gear.into())))]);
    builtin.schema.components.insert("Motor".into(), motor);
    builtin
}

fn game() -> Project {
    project([
        (
            "entities/a.ron",
            entities([
                ("rock", def(&[]).set("Body", "mass", 90.0)),
                ("monster", abstract_def(&[]).set("Health", "max", 20.0).set("Health", "lives", 2_i64)),
                ("goblin", def(&["monster"]).set("Body", "mass", 30.0)),
                ("boss", def(&["goblin"]).set("Health", "max", 90.0)),
                ("elite", def(&["goblin", "armored"]).scale("Health", "max", 2.0).add("Health", "max", -5.0)),
                ("armored", abstract_def(&[]).set("Motor", "gear", st([("ratio", 2.0)]))),
            ]),
        ),
        (
            "entities/b.ron",
            entities([
                ("ant", def(&["monster"]).remove("Health")),
                ("chicken", def(&["egg"])),
                ("egg", def(&["chicken"])),
                ("orphan", def(&["nobody"])),
                ("rock", def(&[])),
            ]),
        ),
    ])
}

struct Shown {
    outline: Arc<Outline>,
    resolution: Arc<Resolution>,
    columns: Vec<Column>,
    marked: Arc<BTreeSet<Name>>,
}

impl Shown {
    fn of(project: &Project) -> Self {
        let resolution = Arc::new(resolve(project, &words(), None));
        let columns = first_columns(project, &resolution);
        Self { outline: Outline::of(project, None), resolution, columns, marked: Arc::default() }
    }

    fn table(&self, arrangement: &Arrangement, before: Option<Table>, hold: bool) -> Table {
        let Self { outline, resolution, columns, marked } = self;
        Table::of(Sources { outline, resolution, columns, marked }, arrangement, before, hold)
    }

    /// Names of rows, moved in by their depth; context in brackets.
    fn names(&self, arrangement: &Arrangement) -> String {
        let table = self.table(arrangement, None, false);
        let names = table.rows.iter().enumerate().map(|(i, row)| {
            let name = &table.entry(i).unwrap().name;
            let name = if row.is_context { format!("({name})") } else { name.to_string() };
            format!("{}{name}", ">".repeat(row.depth))
        });
        names.collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn definitions_stand_under_their_first_parents() {
    let shown = Shown::of(&game());
    assert_eq!(
        shown.names(&Arrangement::default()),
        "armored monster >ant >goblin >>boss >>elite orphan rock rock chicken >egg"
    );
    let elite = &shown.outline.entries()[shown.outline.find("elite").unwrap()];
    assert_eq!(elite.more_parents, ["armored".into()]);
    let rocks: Vec<_> = shown.outline.entries().iter().filter(|entry| &*entry.name == "rock").collect();
    assert_eq!(rocks.iter().map(|rock| rock.is_repeated).collect::<Vec<_>>(), [false, true]);
    assert!(resolved_of(&shown.resolution, rocks[1]).is_none(), "the second is not the one that counts");
}

#[test]
fn what_is_folded_is_away_and_filters_open_it() {
    let shown = Shown::of(&game());
    let mut arrangement = Arrangement { folded: ["goblin".into(), "chicken".into()].into(), ..Arrangement::default() };
    assert_eq!(shown.names(&arrangement), "armored monster >ant >goblin orphan rock rock chicken");
    let goblin = shown.table(&arrangement, None, false).rows[3];
    assert_eq!((goblin.is_open, goblin.depth), (Some(false), 1));
    arrangement.filter.text = "BO".into();
    assert_eq!(shown.names(&arrangement), "(monster) >(goblin) >>boss");
    arrangement.is_flat = true;
    assert_eq!(shown.names(&arrangement), "boss");
}

#[test]
fn filters_want_all_they_say() {
    let mut shown = Shown::of(&game());
    let flat = |filter: Filter| Arrangement { is_flat: true, filter, ..Arrangement::default() };
    let is = |filter: Filter, shown: &Shown| shown.names(&flat(filter));
    let any = Filter::default;
    assert_eq!(is(Filter { component: Some("Motor".into()), ..any() }, &shown), "armored elite");
    assert_eq!(is(Filter { ancestor: Some("goblin".into()), ..any() }, &shown), "boss elite goblin");
    assert_eq!(is(Filter { is_abstract: Some(true), ..any() }, &shown), "armored monster");
    let both = Filter { ancestor: Some("monster".into()), is_abstract: Some(false), text: "o".into(), ..any() };
    assert_eq!(is(both, &shown), "boss goblin");
    shown.columns = vec![Column::new("Health", "max")];
    assert_eq!(is(Filter { own_only: true, ..any() }, &shown), "boss elite monster");
    shown.marked = Arc::new(["ant".into()].into());
    assert_eq!(is(Filter { problems_only: true, ..any() }, &shown), "ant");
    assert_eq!(is(Filter { text: "nothing of the kind".into(), ..any() }, &shown), "");
}

#[test]
fn columns_are_sorted_and_what_has_none_comes_last() {
    let shown = Shown::of(&game());
    let by = |column: &str, is_down: bool| {
        let sort = Some((SortBy::Column(Column::parse(column).unwrap()), is_down));
        shown.names(&Arrangement {
            sort,
            filter: Filter { text: "o".into(), ..Filter::default() },
            ..Arrangement::default()
        })
    };
    assert_eq!(by("Health.max", false), "monster goblin boss armored orphan rock rock");
    assert_eq!(by("Health.max", true), "boss monster goblin armored orphan rock rock");
    assert_eq!(by("Motor.gear.ratio", true), "armored monster goblin boss orphan rock rock");
}

#[test]
fn a_cell_shows_who_said_it() {
    let shown = Shown::of(&game());
    let show = |name: &str, column: &str| {
        let column = Column::parse(column).unwrap();
        let cell = Cell::of(shown.resolution.defs.get(name).map(|def| &**def), &column);
        let value = cell.value.map_or("-".to_owned(), Value::to_string);
        format!("{value} {:?} {}", cell.standing, cell.operations(name, &column)).trim().to_owned()
    };
    for (name, column, expected) in [
        ("monster", "Health.max", "20.0 Own"),
        ("goblin", "Health.max", "20.0 Inherited"),
        ("elite", "Health.max", "35.0 Own ×2 −5"),
        ("rock", "Health.max", "- Absent"),
        ("ant", "Health.max", "- Absent"),
        ("goblin", "Body.velocity", "(0.0, 0.0) Default"),
        ("armored", "Motor.gear.ratio", "2.0 Own"),
        ("armored", "Motor.gear.teeth", "8 Default"),
        ("elite", "Motor.gear.ratio", "2.0 Inherited"),
        ("elite", "Motor.gear.teeth", "8 Default"),
        ("egg", "Health.max", "- Absent"),
    ] {
        assert_eq!(show(name, column), expected, "{name} {column}");
    }
    assert_eq!(
        Cell::of(None, &Column::new("Health", "max")).standing,
        Standing::Absent,
        "what cannot be resolved has nothing to show"
    );
}

#[test]
fn columns_are_chosen_well_and_there_are_more() {
    let project = game();
    let shown = Shown::of(&project);
    let names: Vec<String> = shown.columns.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["Health.max", "Health.lives", "Body.mass"]);
    let all = choices(&project, &shown.resolution);
    let n_declared =
        |name: &str| all.iter().find(|choice| choice.column.to_string() == name).map(|choice| choice.n_declared);
    assert_eq!(n_declared("Health.max"), Some(3));
    assert_eq!(n_declared("Motor.gear.teeth"), Some(1));
    let odd = of_defs([("x", def(&[]).set("Odd", "thing", 1_i64))]);
    let odd_choices = choices(&odd, &resolve(&odd, &words(), None));
    assert!(odd_choices.iter().any(|choice| choice.column == Column::new("Odd", "thing")), "undeclared fields too");
}

#[test]
fn only_what_changed_is_made_anew() {
    let mut project = game();
    let mut shown = Shown::of(&project);
    let plain = Arrangement::default();
    let sort = Some((SortBy::Column(Column::new("Health", "max")), false));
    let sorted = Arrangement { sort, ..Arrangement::default() };
    let first = [&plain, &sorted].map(|arrangement| shown.table(arrangement, None, false));

    let owner = Owner::Def { doc: path("entities/a.ron"), name: "boss".into() };
    apply(&mut project, &Edit::set(owner, "Health", "max", Value::Float(1.0))).unwrap();
    let outline = Outline::of(&project, Some(&shown.outline));
    assert!(Arc::ptr_eq(&outline, &shown.outline), "a value is no part of the tree");
    shown.resolution = Arc::new(resolve(&project, &words(), Some(&shown.resolution)));
    let [tree, by_value] = &first;
    assert!(Arc::ptr_eq(&shown.table(&plain, Some(tree.clone()), false).rows, &tree.rows));
    assert!(Arc::ptr_eq(&shown.table(&sorted, Some(by_value.clone()), true).rows, &by_value.rows), "held");
    let anew = shown.table(&sorted, Some(by_value.clone()), false);
    assert_eq!(&*anew.entry(0).unwrap().name, "boss");

    let set = Edit::set_at(&path("entities/a.ron"), FieldPath::keys(["boss", "inherits"]), &Vec::<Name>::new());
    apply(&mut project, &set).unwrap();
    let moved = Outline::of(&project, Some(&shown.outline));
    assert!(!Arc::ptr_eq(&moved, &shown.outline));
    assert_eq!(moved.entries()[moved.find("boss").unwrap()].parent, None);
}
