//! What can be typed after `levelwright`, and what is refused before any work begins. What each command does is in its
//! own file.

use std::str::FromStr;

use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::{refactor::NameKind, sim::scenario::MAX_SECS};

/// Levelwright: an editor in which the levels, entities, behavior and constants of a 2D game are data.
///
/// A project is a folder with a project.ron and, beside it, entities/, levels/, machines/, tilesets/, tuning/,
/// scenarios/ and schemas/. With no command, Levelwright opens a window on PROJECT, or on a copy of the sample game.
#[derive(Debug, Parser)]
#[command(
    name = "levelwright",
    version = env!("LEVELWRIGHT_VERSION"),
    max_term_width = 100,
    args_conflicts_with_subcommands = true,
    after_help = "Results go to standard output, problems to standard error as\n  \
                  severity[rule] file:line:column: message\n\
                  Exit status: 0 fine, 1 there are problems of severity error, 2 wrong usage.\n\n\
                  Examples:\n  \
                  levelwright goblin_keep                        open a project in the window\n  \
                  levelwright new my_game                        make a small project to begin with\n  \
                  levelwright check my_game                      find what is wrong, for people and for CI\n  \
                  levelwright resolve my_game goblin --explain   the values of a goblin, and where each comes from\n  \
                  levelwright simulate my_game courtyard --secs 5 --trace run.jsonl\n  \
                  levelwright export my_game --out build/data    what the game itself reads\n\n\
                  `levelwright help COMMAND` explains each command."
)]
pub(super) struct Cli {
    /// The project's folder, to open in the window
    #[arg(value_parser = place)]
    pub(super) project: Option<Utf8PathBuf>,

    #[command(subcommand)]
    pub(super) command: Option<CliCommand>,

    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    pub(super) json: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum CliCommand {
    /// Open the window on a project
    Edit {
        /// The project's folder; a copy of the sample game when left out
        #[arg(value_parser = place)]
        project: Option<Utf8PathBuf>,
    },
    /// Make a new project
    #[command(after_help = "Example:\n  levelwright new my_game --template topdown")]
    New {
        /// The folder to make; it must not exist, or be empty
        #[arg(value_parser = place)]
        dir: Utf8PathBuf,
        /// What to begin with
        #[arg(long, value_enum, default_value_t = Template::Platformer)]
        template: Template,
    },
    /// Find everything that is wrong in a project
    #[command(
        after_help = "With --json: {\"problems\": [{severity, rule, file, line, column, end_line, end_column, message, \
                            help, fixes}], left_out: {rule: number}}\n\
                            With --format github: one workflow command a problem, with the file's path as GitHub finds it when \
                            PROJECT is given from the repository's root.\n\n\
                            Examples:\n  levelwright check my_game\n  \
                            levelwright check my_game --deny warnings                   in CI\n  \
                            levelwright check my_game --deny warnings --format github   in GitHub's CI"
    )]
    Check {
        #[command(flatten)]
        project: Project,
        /// Exit with status 1 for warnings too
        #[arg(long, value_enum)]
        deny: Option<Deny>,
        /// How problems are printed
        #[arg(long, value_enum, conflicts_with = "github")]
        format: Option<CheckFormat>,
        /// The same as --format github
        #[arg(long)]
        github: bool,
    },
    /// Fix what can be fixed safely
    #[command(
        after_help = "With --dry-run nothing is written: the result is a patch, as `git apply --directory my_game` \
                            takes it.\n\n\
                            Examples:\n  levelwright fix my_game --dry-run\n  \
                            levelwright fix my_game --rule redundant-override\n  \
                            levelwright fix my_game --rule unknown-component   declare it in schemas/ as it is used\n  \
                            levelwright fix my_game --rule unknown-field --all --dry-run"
    )]
    Fix {
        #[command(flatten)]
        project: Project,
        /// Only problems of this rule, as `check` names it in brackets; what no schema knows is declared
        #[arg(long)]
        rule: Option<String>,
        /// Take the likeliest fix of every problem of the rule, also where it changes what the game does
        #[arg(long, requires = "rule")]
        all: bool,
        /// Print what would change and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Print a definition with inheritance applied
    #[command(after_help = "Without --json the result is RON, as a definition without parents would be written.\n\
                            With --json: {\"components\": {…}}; with --explain every field is \
                            {value, said: [{by, op, operand, after, file, line, column}]}.\n\n\
                            Examples:\n  levelwright resolve my_game fast_goblin\n  \
                            levelwright resolve my_game fast_goblin --explain")]
    Resolve {
        #[command(flatten)]
        project: Project,
        /// The definition's name, or LEVEL/ID of a placed entity
        name: String,
        /// For every field: its value, and each file, line and operation that made it
        #[arg(long)]
        explain: bool,
    },
    /// Write every file of a project in the one canonical form, comments kept
    #[command(
        after_help = "Example:\n  levelwright fmt my_game --check   in CI: change nothing, exit 1 if something would change"
    )]
    Fmt {
        #[command(flatten)]
        project: Project,
        /// Only print which files would change; exit status 1 if any
        #[arg(long)]
        check: bool,
    },
    /// Write what game builds read: inheritance applied, every link and argument filled in
    #[command(
        after_help = "json writes OUT/game.json, ron writes OUT/game.ron, both with the images they name in OUT/images\n\
                            and the sounds in OUT/sounds.\n\
                            `levelwright schema` prints the JSON Schema of game.json.\n\
                            A project with errors is not exported.\n\n\
                            Example:\n  levelwright export my_game --out build/data --target json,ron"
    )]
    Export {
        #[command(flatten)]
        project: Project,
        /// The folder to write to; made if it is missing
        #[arg(long, value_parser = place)]
        out: Utf8PathBuf,
        /// What to write, separated by commas
        #[arg(long, value_enum, value_delimiter = ',', default_value = "json")]
        target: Vec<Target>,
    },
    /// Read levels of other editors (not in this version)
    Import {
        /// TMX, TMJ or `LDtk` files
        #[arg(required = true, value_parser = place)]
        files: Vec<Utf8PathBuf>,
        /// The project's folder
        #[arg(long, value_parser = place)]
        into: Utf8PathBuf,
    },
    /// Run a level without a window, as fast as it goes
    #[command(
        after_help = "--trace writes one JSON object a line: what each machine, message and contact did, with `t` in seconds.\n\
                            With --json, a trace to standard output (`-`) ends in a line with the summary.\n\
                            Prints a summary with a hash: the same project, level, seed and script give the same hash.\n\
                            --why adds one line for each entity: the cause, then what it wants, whether it gets there, and why not.\n\
                            --profile adds two tables of milliseconds over the whole run: by system, a child's time counted in its \
                            parent's, and by definition; --json has the cells of the level that cost the most, too.\n\n\
                            Examples:\n  levelwright simulate my_game courtyard --secs 10\n  \
                            levelwright simulate my_game courtyard --secs 10 --trace - --poses 8\n  \
                            levelwright simulate my_game dungeon --secs 5 --why bntvh0\n  \
                            levelwright simulate my_game courtyard --secs 30 --profile"
    )]
    Simulate {
        #[command(flatten)]
        project: Project,
        /// The level's name, or its file in the project; the scenario's when left out
        level: Option<String>,
        /// How long, in seconds of the level's time, at most a day; the scenario's when left out
        #[arg(long, value_parser = secs, allow_hyphen_values = true)]
        secs: Option<f64>,
        /// The seed of the random streams
        #[arg(long, allow_hyphen_values = true)]
        seed: Option<i64>,
        /// A scenario whose script is performed: its name, or a file
        #[arg(long)]
        scenario: Option<String>,
        /// Where to write what happens; `-` is standard output
        #[arg(long, value_parser = place)]
        trace: Option<Utf8PathBuf>,
        /// Write every entity's pose to the trace each so many ticks
        #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
        poses: Option<u64>,
        /// Explain why this entity stands still at the end, by its id; can be given several times
        #[arg(long, value_name = "ENTITY")]
        why: Vec<String>,
        /// Measure what ticks spend their time on; the run is the same as without
        #[arg(long)]
        profile: bool,
    },
    /// Run scenarios and print which expectations came true
    #[command(after_help = "Exit status 1 when an expectation fails.\n\n\
                            Examples:\n  levelwright test my_game\n  levelwright test my_game rocket_is_hit")]
    Test {
        #[command(flatten)]
        project: Project,
        /// Names of scenarios; all of them when left out
        scenarios: Vec<String>,
    },
    /// Find a path in a level
    #[command(
        after_help = "With --json: {found, cost, points, legs: [{how, from, to}], reason, at, expanded, max_open, micros}; the cost is \
                            in tiles times the terrain's cost on the grid, in pixels on ledges and waypoints; `legs` are those of \
                            ledges; `reason` and `at` say why there is no path.\n\n\
                            Examples:\n  levelwright path my_game dungeon 376,952 632,680\n  \
                            levelwright path my_game courtyard 1712,263 1800,263 --on patrol"
    )]
    Path {
        #[command(flatten)]
        project: Project,
        /// The level's name, or its file in the project
        level: String,
        /// Where from: X,Y in pixels
        #[arg(value_name = "FROM_X,Y", allow_hyphen_values = true)]
        from: Point,
        /// Where to: X,Y in pixels
        #[arg(value_name = "TO_X,Y", allow_hyphen_values = true)]
        to: Point,
        /// `grid`, `ledges` (walked along, with drops and jumps between them) or the name of a waypoint layer; else as
        /// the agent moves when the level is played
        #[arg(long)]
        on: Option<String>,
        /// Who goes there: a kind of agent, as tiles name it for their costs, or a definition with an Agent or an entity
        /// of the level, which is as wide as that and stopped by closed doors
        #[arg(long, default_value = "walk")]
        agent: String,
        /// From 1, which finds the cheapest path, to 1000; more is quicker, and the path may cost more
        #[arg(long, default_value_t = 1.0, value_parser = weight, allow_hyphen_values = true)]
        weight: f64,
    },
    /// Draw a level into a PNG
    #[command(after_help = "A level without a background is drawn on dark gray, as in the window.\n\n\
                            Examples:\n  levelwright render my_game courtyard courtyard.png --scale 2 --overlay grid,colliders\n  \
                            levelwright render my_game mill seen.png --camera view --secs 2   what the camera shows after 2 s")]
    Render {
        #[command(flatten)]
        project: Project,
        /// The level's name, or its file in the project
        level: String,
        /// The PNG to write
        #[arg(value_parser = png)]
        out: Utf8PathBuf,
        /// Pixels of the picture for one of the level, from 0.01 to 16
        #[arg(long, default_value_t = 1.0, value_parser = scale, allow_hyphen_values = true)]
        scale: f64,
        /// What to draw over it, separated by commas
        #[arg(long, value_enum, value_delimiter = ',')]
        overlay: Vec<Overlay>,
        /// How long to run the level first, in seconds, at most a day
        #[arg(long, value_parser = secs, allow_hyphen_values = true)]
        secs: Option<f64>,
        /// Leave the background out: what nothing covers is transparent
        #[arg(long)]
        transparent: bool,
        /// Draw what this camera shows: the id of its entity; empty for the one of the constants, where none is placed
        #[arg(long)]
        camera: Option<String>,
    },
    /// Rename something and every use of it
    #[command(after_help = "OLD is the name as `check` and the files write it:\n  \
                            def, machine, level, tileset, scenario  its name\n  \
                            tile                                    tileset/name\n  \
                            state                                   machine/path, as in goblin_brain/Hunt/Chase\n  \
                            tunable                                 Page.name\n  \
                            layer                                   level/layer\n  \
                            component, message, action, condition   its name, if the game's own schema declares it\n  \
                            field, payload                          Component.field, Message.field, likewise\n  \
                            custom-field                            level.field, layer.field or tile.field\n  \
                            action-arg, condition-arg               Action.argument, Condition.argument, likewise\n  \
                            enum-value                              Enum.Value, likewise\n  \
                            tag                                     its name, whatever has it\n\
                            NEW is the new name alone.\n\
                            Prints every place that changes as file:line:column: old -> new; with --json: {files, changes: [{file, \
                            line, column, path, before, after}]}.\n\n\
                            Examples:\n  levelwright rename my_game def goblin gnome\n  \
                            levelwright rename my_game tag enemy foe --dry-run")]
    Rename {
        #[command(flatten)]
        project: Project,
        /// What it is
        #[arg(value_enum)]
        kind: RenameKind,
        /// Its name now
        old: String,
        /// Its name from now on
        new: String,
        /// Only print what would change
        #[arg(long)]
        dry_run: bool,
    },
    /// Print or write JSON Schemas: of the exports, and of the JSON mirrors of a project's files
    #[command(
        after_help = "--out writes DIR/export.schema.json and, for each kind of file, DIR/project/KIND.schema.json.\n\
                            A file's JSON mirror is the same data as JSON; `--twin` prints it, for other programs to check or \
                            read.\n\n\
                            Examples:\n  levelwright schema > export.schema.json\n  \
                            levelwright schema --kind entities --project my_game   with the game's own components and names\n  \
                            levelwright schema --project my_game --out build/schemas\n  \
                            levelwright schema --twin my_game/entities/goblins.ron"
    )]
    Schema {
        /// The folder to write to; standard output when left out
        #[arg(long, value_parser = place)]
        out: Option<Utf8PathBuf>,
        /// A project whose declared components and names are in the schemas too
        #[arg(long, value_name = "PROJECT", value_parser = place)]
        project: Option<Utf8PathBuf>,
        /// Print the schema of this kind of file instead of the exports'
        #[arg(long, value_enum, conflicts_with_all = ["out", "twin"])]
        kind: Option<FileKind>,
        /// Print the JSON mirror of a project's file
        #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "project"], value_parser = place)]
        twin: Option<Utf8PathBuf>,
        /// Print the project's names for a text editor's completion
        #[arg(long, value_enum, conflicts_with_all = ["out", "kind", "twin"])]
        complete: Option<Completion>,
    },
    /// Print a script that completes commands and options in a shell
    #[command(after_help = "Examples:\n  \
                            levelwright completions bash > ~/.local/share/bash-completion/completions/levelwright\n  \
                            levelwright completions zsh > ~/.zfunc/_levelwright   with ~/.zfunc in fpath\n  \
                            levelwright completions fish > ~/.config/fish/completions/levelwright.fish")]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
}

/// A shell that is given completions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Shell {
    /// Bash
    Bash,
    /// Z shell
    Zsh,
    /// Fish
    Fish,
}

/// For what completion words are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Completion {
    /// Snippets with their meaning, for .vscode/levelwright.code-snippets
    Vscode,
    /// One word a line, for a dictionary
    Words,
}

/// A kind of file of a project, by its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FileKind {
    /// project.ron
    Project,
    /// entities/*.ron
    Entities,
    /// levels/*.ron
    Levels,
    /// levels/*.regions/*.ron
    Regions,
    /// machines/*.ron
    Machines,
    /// tilesets/*.ron
    Tilesets,
    /// tuning/*.ron
    Tuning,
    /// scenarios/*.ron
    Scenarios,
    /// schemas/*.ron
    Schemas,
}

#[derive(Debug, Args)]
pub(super) struct Project {
    /// The project's folder
    #[arg(id = "project_dir", value_name = "PROJECT", value_parser = place)]
    pub(super) dir: Utf8PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Template {
    /// A level seen from the side, with a player who walks and jumps
    Platformer,
    /// A level seen from above
    Topdown,
    /// As little as opens and plays: a level with ground and a player
    Empty,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Deny {
    /// Warnings count as errors
    Warnings,
}

/// How `check` prints problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CheckFormat {
    /// `severity[rule] file:line:column: message`, on standard error
    Text,
    /// One JSON document on standard output; the same as --json
    Json,
    /// As text, with the lines of the file that each problem is about
    Excerpt,
    /// Workflow commands on standard output, which GitHub shows beside the lines they are about
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum Target {
    /// game.json with images and sounds
    Json,
    /// game.ron with images and sounds
    Ron,
    /// One binary file (not in this version)
    Pack,
    /// Tiled XML (not in this version)
    Tmx,
    /// Tiled JSON (not in this version)
    Tmj,
    /// `LDtk` (not in this version)
    Ldtk,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Overlay {
    /// Lines between cells
    Grid,
    /// Collision shapes
    Colliders,
    /// Waypoints and their links, the automatic ones too
    Links,
    /// The values of value layers, in their colors
    Values,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RenameKind {
    /// An entity definition
    #[value(alias = "definition", alias = "entity")]
    Def,
    /// A state machine
    Machine,
    /// A state of a machine
    State,
    /// A tile of a tileset
    Tile,
    /// A constant of a tuning page
    #[value(alias = "constant")]
    Tunable,
    /// A component of the game's own schema
    Component,
    /// A field of such a component
    Field,
    /// A custom field of levels, layers or tiles
    CustomField,
    /// A message of the game's own schema
    Message,
    /// A field of what travels with such a message
    Payload,
    /// An action of the game's own schema
    Action,
    /// An argument of such an action
    ActionArg,
    /// A condition of the game's own schema
    Condition,
    /// An argument of such a condition
    ConditionArg,
    /// A level, with its file
    Level,
    /// A tileset, with its file
    Tileset,
    /// A scenario, with its file
    Scenario,
    /// A layer of a level
    Layer,
    /// A value of an enum of the game's own schema
    #[value(alias = "word")]
    EnumValue,
    /// A tag of entities, tiles and waypoints
    Tag,
}

impl From<RenameKind> for NameKind {
    fn from(kind: RenameKind) -> Self {
        match kind {
            RenameKind::Def => Self::Def,
            RenameKind::Machine => Self::Machine,
            RenameKind::State => Self::State,
            RenameKind::Tile => Self::Tile,
            RenameKind::Tunable => Self::Tunable,
            RenameKind::Component => Self::Component,
            RenameKind::Field => Self::Field,
            RenameKind::CustomField => Self::CustomField,
            RenameKind::Message => Self::Message,
            RenameKind::Payload => Self::Payload,
            RenameKind::Action => Self::Action,
            RenameKind::ActionArg => Self::ActionArg,
            RenameKind::Condition => Self::Condition,
            RenameKind::ConditionArg => Self::ConditionArg,
            RenameKind::Level => Self::Level,
            RenameKind::Tileset => Self::Tileset,
            RenameKind::Scenario => Self::Scenario,
            RenameKind::Layer => Self::Layer,
            RenameKind::EnumValue => Self::EnumValue,
            RenameKind::Tag => Self::Tag,
        }
    }
}

/// A place in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point(pub(super) [f64; 2]);

/// Farther away than this is no place in a level.
const MAX_PX: f64 = 1.0e8;

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a place: write X,Y in pixels, as in 120,64.5");
        let (x, y) = text.split_once(',').ok_or_else(wrong)?;
        let number = |part: &str| {
            let number = part.trim().parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(wrong)?;
            if number.abs() <= MAX_PX {
                return Ok(number);
            }
            Err(format!("`{text}` is too far away: at most {MAX_PX} px"))
        };
        Ok(Self([number(x)?, number(y)?]))
    }
}

fn number(text: &str, range: std::ops::RangeInclusive<f64>, unit: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().map_err(|_| format!("`{text}` is not a number"))?;
    if range.contains(&number) {
        return Ok(number);
    }
    Err(format!("it must be from {} to {}{unit}", range.start(), range.end()))
}

/// A path is not empty: an empty one would be the current folder, or nothing.
fn place(text: &str) -> Result<Utf8PathBuf, String> {
    if text.is_empty() { Err("a path is expected; `.` is the current folder".to_owned()) } else { Ok(text.into()) }
}

/// Where a picture is written.
fn png(text: &str) -> Result<Utf8PathBuf, String> {
    let path = place(text)?;
    match path.extension() {
        Some(other) if !other.eq_ignore_ascii_case("png") => {
            Err(format!("pictures are written as PNG: name it `{}`", path.with_extension("png")))
        }
        _ => Ok(path),
    }
}

fn secs(text: &str) -> Result<f64, String> {
    number(text, 0.0..=MAX_SECS, " seconds")
}

fn weight(text: &str) -> Result<f64, String> {
    number(text, 1.0..=1000.0, "")
}

fn scale(text: &str) -> Result<f64, String> {
    number(text, 0.01..=16.0, "")
}
