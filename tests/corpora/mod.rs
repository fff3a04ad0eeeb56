//! Made-up projects as large and as tangled as those of games that live on inheritance, for tests and benches: the same
//! seed gives the same text.
//!
//! The shapes are those measured on two of them. Both have 8 500 definitions, most of them leaves, and are up to 7
//! deep. `OpenRA`'s actors inherit up to 7 templates `^Name` and mixins and take inherited traits away (`-Trait`).
//! `RimWorld`'s have one parent each, and long lists and maps that children add to or replace.

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "tests say where they fail")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    path::Path,
};

pub const N_DEFINITIONS: usize = 8500;
pub const MAX_DEPTH: usize = 7;
pub const MAX_PARENTS: usize = 7;

/// Text files of a project, by path.
pub type Files = BTreeMap<String, String>;

/// Put the files of a project into a folder.
pub fn write(files: &Files, root: &Path) {
    for (path, text) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// Numbers that are the same everywhere (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z >> 33) % n.max(1) as u64).unwrap()
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A number under `n` of which small ones are much likelier: a few templates have most of the children.
    fn skewed(&mut self, n: usize) -> usize {
        let widest = self.below(n) + 1;
        let wide = self.below(widest) + 1;
        self.below(wide)
    }
}

/// What a definition says, before it is text.
#[derive(Default)]
struct Def {
    name: String,
    is_abstract: bool,
    parents: Vec<usize>,
    depth: usize,
    remove: BTreeSet<String>,
    set: BTreeMap<String, Vec<String>>,
    scale: BTreeMap<String, Vec<String>>,
    append: BTreeMap<String, Vec<String>>,
    file: &'static str,
    /// Itself and its ancestors. Parents are always listed by falling number, so this order is the one of inheritance.
    lineage: BTreeSet<usize>,
}

impl Def {
    fn text(&self, all: &[Self]) -> String {
        let mut out = format!("    \"{}\": (", self.name);
        if self.is_abstract {
            out.push_str("abstract: true, ");
        }
        let quoted = |names: Vec<&str>| names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
        if !self.parents.is_empty() {
            let parents = self.parents.iter().map(|parent| all[*parent].name.as_str()).collect();
            let _ = write!(out, "inherits: [{}], ", quoted(parents));
        }
        if !self.remove.is_empty() {
            let _ = write!(out, "remove: [{}], ", quoted(self.remove.iter().map(String::as_str).collect()));
        }
        for (op, components) in [("set", &self.set), ("scale", &self.scale), ("append", &self.append)] {
            if components.is_empty() {
                continue;
            }
            let _ = writeln!(out, "{op}: (");
            for (component, fields) in components {
                let _ = writeln!(out, "        {component}: ({}),", fields.join(", "));
            }
            out.push_str("    ), ");
        }
        out.truncate(out.trim_end().trim_end_matches(',').len());
        out.push_str("),\n");
        out
    }
}

/// A hierarchy in the making.
struct Making {
    dice: Dice,
    defs: Vec<Def>,
}

impl Making {
    fn new(seed: u64) -> Self {
        Self { dice: Dice(seed), defs: Vec::new() }
    }

    /// Begin a definition under some of those there are.
    fn begin(&mut self, name: String, file: &'static str, parents: impl IntoIterator<Item = usize>) -> Def {
        let parents: BTreeSet<usize> = parents.into_iter().collect();
        // One that another inherits anyway says nothing.
        let needless =
            |parent: &usize| parents.iter().any(|it| it != parent && self.defs[*it].lineage.contains(parent));
        let parents: Vec<usize> = parents.iter().rev().copied().filter(|parent| !needless(parent)).collect();
        let depth = parents.iter().map(|parent| self.defs[*parent].depth + 1).max().unwrap_or(0);
        let mut lineage: BTreeSet<usize> =
            parents.iter().flat_map(|parent| self.defs[*parent].lineage.iter().copied()).collect();
        lineage.insert(self.defs.len());
        Def { name, parents, depth, file, lineage, ..Def::default() }
    }

    /// The components it inherits.
    fn inherited(&self, def: &Def) -> Vec<String> {
        let mut there = BTreeSet::new();
        for ancestor in def.lineage.iter().filter(|ancestor| **ancestor < self.defs.len()) {
            let Def { remove, set, append, .. } = &self.defs[*ancestor];
            there.retain(|component| !remove.contains(component));
            there.extend(set.keys().chain(append.keys()).cloned());
        }
        there.into_iter().collect()
    }

    fn finish(self, schema: String) -> Files {
        let mut files: Files = [
            ("project.ron".to_owned(), "(format: 1, name: \"Corpus\")\n".to_owned()),
            ("schemas/game.ron".to_owned(), schema),
        ]
        .into();
        for def in &self.defs {
            let text = files.entry(format!("entities/{}.ron", def.file)).or_insert_with(|| "{\n".to_owned());
            text.push_str(&def.text(&self.defs));
        }
        for (_, text) in files.iter_mut().filter(|(path, _)| path.starts_with("entities/")) {
            text.push_str("}\n");
        }
        files
    }
}

const N_TRAITS: usize = 70;

/// Traits have a few numbers, a word, a switch and a list.
fn trait_fields(of: usize) -> usize {
    3 + of % 5
}

fn openra_schema() -> String {
    let mut out = "(components: {\n".to_owned();
    for of in 0..N_TRAITS {
        let _ = write!(out, "    \"Trait{of}\": (fields: {{ \"on\": (type: Bool, default: true), ");
        let _ = write!(out, "\"kinds\": (type: List(Str), default: []), ");
        for field in 0..trait_fields(of) {
            let _ = write!(out, "\"n{field}\": (type: Float, default: {field}.0), ");
        }
        out.push_str("}),\n");
    }
    out.push_str("})\n");
    out
}

fn say_traits(making: &mut Making, def: &mut Def, traits: impl IntoIterator<Item = usize>) {
    for of in traits {
        let dice = &mut making.dice;
        let mut fields: Vec<String> = Vec::new();
        for field in 0..trait_fields(of) {
            if dice.one_in(2) {
                fields.push(format!("n{field}: {}.25", dice.below(500)));
            }
        }
        if dice.one_in(6) {
            fields.push(format!("on: {}", dice.one_in(2)));
        }
        def.set.insert(format!("Trait{of}"), fields);
        if dice.one_in(8) {
            def.append.insert(format!("Trait{of}"), vec![format!("kinds: [\"k{}\"]", dice.below(20))]);
        }
    }
}

/// As `OpenRA` has it: actors of templates and mixins, traits taken away.
pub fn openra(seed: u64) -> Files {
    const FILES: [&str; 6] = ["infantry", "vehicles", "aircraft", "ships", "structures", "misc"];
    const N_TEMPLATES: usize = 160;
    const N_MIXINS: usize = 60;
    let mut making = Making::new(seed);
    // Mixins first: whatever is special inherits them, never the other way round.
    for i in 0..N_MIXINS {
        let mut def = making.begin(format!("^Mixin{i}"), "defaults", []);
        let of = making.dice.below(N_TRAITS);
        say_traits(&mut making, &mut def, [of]);
        making.defs.push(Def { is_abstract: true, ..def });
    }
    for i in 0..N_TEMPLATES {
        let (above, mixin) = (making.dice.skewed(i.max(1)), making.dice.below(N_MIXINS));
        let fits = |making: &Making, it: usize| making.defs[it].depth < MAX_DEPTH - 2;
        let wanted = [(i > 5).then_some(N_MIXINS + above), making.dice.one_in(2).then_some(mixin)];
        let parents: Vec<usize> = wanted.into_iter().flatten().filter(|it| fits(&making, *it)).collect();
        let mut def = making.begin(format!("^Template{i}"), "defaults", parents);
        let traits: Vec<usize> = (0..2 + making.dice.below(6)).map(|_| making.dice.below(N_TRAITS)).collect();
        say_traits(&mut making, &mut def, traits);
        making.defs.push(Def { is_abstract: true, ..def });
    }
    let n_above = making.defs.len();
    for i in n_above..N_DEFINITIONS {
        let file = FILES[i % FILES.len()];
        // Now and then a variant of another actor, else a template with mixins: mostly one or two, at most six.
        let is_variant = making.dice.one_in(6) && i > n_above + 10;
        let first = if is_variant && making.dice.one_in(2) {
            i - 1 - making.dice.below(3)
        } else if is_variant {
            n_above + making.dice.below(i - n_above)
        } else {
            N_MIXINS + making.dice.skewed(N_TEMPLATES)
        };
        let first = if making.defs[first].depth < MAX_DEPTH { first } else { N_MIXINS };
        let n_mixins = making.dice.skewed(MAX_PARENTS);
        let mixins: Vec<usize> = (0..n_mixins).map(|_| making.dice.below(N_MIXINS)).collect();
        let mut def = making.begin(format!("actor{i}"), file, mixins.into_iter().chain([first]));
        let inherited = making.inherited(&def);
        if making.dice.one_in(4) && inherited.len() > 2 {
            let gone = inherited[making.dice.below(inherited.len())].clone();
            def.remove.insert(gone);
        }
        let traits: Vec<usize> = (0..=making.dice.below(5))
            .map(|_| {
                if making.dice.one_in(3) || inherited.is_empty() {
                    making.dice.below(N_TRAITS)
                } else {
                    inherited[making.dice.below(inherited.len())]["Trait".len()..].parse().unwrap()
                }
            })
            .collect();
        say_traits(&mut making, &mut def, traits);
        if making.dice.one_in(10)
            && let Some(of) = inherited.iter().find(|it| !def.remove.contains(*it))
        {
            def.scale.insert(of.clone(), vec!["n0: 1.5".to_owned()]);
        }
        making.defs.push(def);
    }
    making.finish(openra_schema())
}

const RIMWORLD_SCHEMA: &str = r##"(components: {
    "Thing": (fields: {
        "label": (type: Str, default: ""),
        "stats": (type: Map(Float), default: {}),
        "tags": (type: List(Str), default: []),
        "stack": (type: Int, default: 1),
        "graphic": (type: Struct({
            "path": (type: Str, default: ""),
            "size": (type: Vec2, default: (1.0, 1.0)),
            "tint": (type: Color, default: "#ffffff"),
        })),
    }),
    "Building": (fields: { "hp": (type: Float, default: 100.0), "cost": (type: Map(Float), default: {}), "roofed": (type: Bool, default: true) }),
    "Plant": (fields: { "days": (type: Float, default: 3.0), "yields": (type: List(Str), default: []) }),
    "Creature": (fields: { "speed": (type: Float, default: 4.0), "diet": (type: List(Str), default: []), "parts": (type: Map(Float), default: {}) }),
    "Weapon": (fields: { "damage": (type: Float, default: 10.0), "verbs": (type: List(Str), default: []) }),
})
"##;

/// As `RimWorld` has it: one parent each, lists and maps that grow on the way down.
pub fn rimworld(seed: u64) -> Files {
    const KINDS: [(&str, &str); 4] =
        [("Building", "buildings"), ("Plant", "plants"), ("Creature", "creatures"), ("Weapon", "weapons")];
    const N_BASES: usize = 420;
    let mut making = Making::new(seed);
    let root = making.begin("BaseThing".to_owned(), "base", []);
    let set = [("Thing".to_owned(), vec!["stats: { \"Mass\": 1.0, \"Beauty\": 0.0 }".to_owned()])].into();
    making.defs.push(Def { is_abstract: true, set, ..root });
    // The kind of each definition; the root is of none.
    let mut kinds = vec![0];
    for i in 1..N_DEFINITIONS {
        let is_base = i < N_BASES;
        let parent = making.dice.skewed(i.min(N_BASES));
        let parent = if making.defs[parent].depth < MAX_DEPTH - usize::from(is_base) { parent } else { 0 };
        let kind = if parent == 0 { i % KINDS.len() } else { kinds[parent] };
        let (component, file) = KINDS[kind];
        let name = if is_base { format!("Base{component}{i}") } else { format!("{component}{i}") };
        let mut def = making.begin(name, if is_base { "base" } else { file }, [parent]);
        let dice = &mut making.dice;
        let mut thing = vec![format!("label: \"thing number {i}\"")];
        if dice.one_in(2) {
            let stat = ["Mass", "Beauty", "MarketValue", "Flammability", "WorkToMake"][dice.below(5)];
            thing.push(format!("stats: {{ \"{stat}\": {}.5 }}", dice.below(900)));
        }
        if dice.one_in(3) {
            thing.push(format!("graphic: (path: \"things/{i}\", size: ({}.0, 1.0))", 1 + dice.below(4)));
        }
        if dice.one_in(20) {
            thing.push(format!("tags: [\"only{}\"]", dice.below(50)));
        } else if dice.one_in(2) {
            def.append.insert("Thing".to_owned(), vec![format!("tags: [\"t{}\", \"u{i}\"]", dice.below(50))]);
        }
        def.set.insert("Thing".to_owned(), thing);
        let (own, list) = match kind {
            0 => (format!("hp: {}.5, cost: {{ \"Steel\": {}.5 }}", dice.below(900), dice.below(90)), None),
            1 => (format!("days: {}.5", dice.below(30)), Some("yields")),
            2 => (format!("speed: {}.5, parts: {{ \"leg\": {}.5 }}", dice.below(9), dice.below(40)), Some("diet")),
            _ => (format!("damage: {}.5", dice.below(80)), Some("verbs")),
        };
        def.set.insert(component.to_owned(), if dice.one_in(4) { Vec::new() } else { vec![own] });
        if let Some(list) = list.filter(|_| dice.one_in(3)) {
            def.append.insert(component.to_owned(), vec![format!("{list}: [\"x{}\"]", dice.below(9))]);
        }
        def.is_abstract = is_base;
        kinds.push(kind);
        making.defs.push(def);
    }
    making.finish(RIMWORLD_SCHEMA.to_owned())
}
