//! Profiles as text: for a terminal, and to be pasted into a document or a spreadsheet.
//!
//! Invariant: one table of systems and one of definitions, times in milliseconds, in every format.

use super::{KindRow, Profile, Share, Span, SystemRow};

/// Least width of names in a terminal, in characters.
const NAME_WIDTH: usize = 24;
/// Least width of numbers in a terminal, in characters.
const NUMBER_WIDTH: usize = 9;

/// Names of columns, and rows of as many cells, of which the first is a name.
struct Table {
    columns: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Profile {
    /// The profile as lines of text for a monospaced font.
    #[must_use]
    pub fn lines(&self, span: Span) -> Vec<String> {
        let mut lines = vec![self.summary()];
        let indented = |names: &[&str]| format!("{}{}", "  ".repeat(names.len() - 1), names[names.len() - 1]);
        for table in self.tables(span, indented) {
            let name_width = table.rows.iter().map(|row| row[0].chars().count()).max().unwrap_or(0).max(NAME_WIDTH);
            let widths: Vec<usize> = (0..table.columns.len())
                .map(|at| if at == 0 { name_width } else { table.columns[at].len().max(NUMBER_WIDTH) })
                .collect();
            let line = |cells: &mut dyn Iterator<Item = &str>| {
                let cells = cells.zip(&widths).enumerate().map(|(at, (cell, width))| match at {
                    0 => format!("{cell:<width$}"),
                    _ => format!(" {cell:>width$}"),
                });
                cells.collect::<String>().trim_end().to_owned()
            };
            lines.push(line(&mut table.columns.iter().copied()));
            lines.extend(table.rows.iter().map(|row| line(&mut row.iter().map(String::as_str))));
        }
        lines
    }

    /// The profile as Markdown tables.
    #[must_use]
    pub fn markdown(&self, span: Span) -> String {
        // Spaces that Markdown keeps.
        let indented = |names: &[&str]| format!("{}{}", "\u{2003}".repeat(names.len() - 1), names[names.len() - 1]);
        let mut text = format!("{}\n", self.summary());
        for table in self.tables(span, indented) {
            let row = |cells: &mut dyn Iterator<Item = &str>| {
                let cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|")).collect();
                format!("| {} |\n", cells.join(" | "))
            };
            text.push('\n');
            text += &row(&mut table.columns.iter().copied());
            text += &row(&mut (0..table.columns.len()).map(|at| if at == 0 { "---" } else { "---:" }));
            text.extend(table.rows.iter().map(|cells| row(&mut cells.iter().map(String::as_str))));
        }
        text
    }

    /// The profile as comma-separated values: the systems with all their parents, an empty line, the definitions.
    #[must_use]
    pub fn csv(&self, span: Span) -> String {
        let quoted = |cell: &str| {
            let needs_quotes = cell.contains([',', '"', '\n']);
            if needs_quotes { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
        };
        let tables = self.tables(span, |names| names.join("/")).map(|table| {
            let row = |cells: &mut dyn Iterator<Item = &str>| {
                let cells: Vec<String> = cells.map(quoted).collect();
                cells.join(",") + "\n"
            };
            let head = row(&mut table.columns.iter().copied());
            let rows = table.rows.iter().map(|cells| row(&mut cells.iter().map(String::as_str)));
            std::iter::once(head).chain(rows).collect::<String>()
        });
        tables.join("\n")
    }

    /// The number of measured ticks, and their times.
    #[must_use]
    pub fn summary(&self) -> String {
        let [avg, min, max] = self.tick().spread(Span::Whole).map(ms_text);
        let slowest = self.slowest().map_or_else(String::new, |(tick, _)| format!(" in tick {tick}"));
        let n = usize::try_from(self.tick().n).unwrap_or(usize::MAX);
        format!("{}: {avg} ms on average, {min} at least, {max} at most{slowest}", crate::model::counted(n, "tick"))
    }

    fn tables(&self, span: Span, name: impl Fn(&[&str]) -> String) -> [Table; 2] {
        let mut names: Vec<&str> = Vec::new();
        let systems = self.systems(span).into_iter().map(|row| {
            let SystemRow { system, depth, total_ns, own_ns, spread_ns: [avg, min, max], calls } = row;
            names.truncate(depth);
            names.push(system.name());
            let times = [total_ns, own_ns, avg, min, max].map(ms_text);
            std::iter::once(name(&names)).chain(times).chain([format!("{calls:.0}")]).collect()
        });
        let systems: Vec<Vec<String>> = systems.collect();
        let kinds = self.kinds(span).into_iter().map(|row| {
            let KindRow { def, n, total_ns, spread_ns, by_ns } = row;
            let def = def.as_deref().unwrap_or("(no entity)").to_owned();
            let n = if n == 0 { String::new() } else { n.to_string() };
            let times = std::iter::once(total_ns).chain(spread_ns).chain(by_ns).map(ms_text);
            [def, n].into_iter().chain(times).collect()
        });
        let kinds: Vec<Vec<String>> = kinds.collect();
        let of_kinds = ["Definition", "Entities", "Total ms", "Avg", "Min", "Max"].into_iter();
        [
            Table { columns: vec!["System", "Total ms", "Self ms", "Avg", "Min", "Max", "Calls"], rows: systems },
            Table { columns: of_kinds.chain(Share::ALL.map(Share::name)).collect(), rows: kinds },
        ]
    }
}

/// Nanoseconds as milliseconds.
#[must_use]
pub fn ms_text(ns: f64) -> String {
    format!("{:.3}", ns / 1e6)
}

#[cfg(test)]
mod tests {
    use super::{
        super::{KindCost, System, SystemCost, TickProfile},
        *,
    };

    fn profile() -> Profile {
        let mut profile = Profile::default();
        let time = |system, parent, total_ns, own_ns, calls| SystemCost { system, parent, total_ns, own_ns, calls };
        profile.add(TickProfile {
            tick: 5,
            secs: 1.0,
            dt_secs: 0.1,
            systems: vec![
                time(System::Tick, None, 2_000_000, 500_000, 1),
                time(System::Updates, Some(0), 1_500_000, 500_000, 1),
                time(System::Machines, Some(1), 1_000_000, 1_000_000, 40),
            ],
            kinds: vec![KindCost { def: "a,b|c".into(), n: 40, by: [1_000_000, 0, 0, 0] }],
            cells: Vec::new(),
        });
        profile
    }

    #[test]
    fn the_tables_as_text() {
        let lines = profile().lines(Span::Whole);
        let expected = [
            "1 tick: 2.000 ms on average, 2.000 at least, 2.000 at most in tick 5",
            "System                    Total ms   Self ms       Avg       Min       Max     Calls",
            "Tick                         2.000     0.500     2.000     2.000     2.000         1",
            "  Updates                    1.500     0.500     1.500     1.500     1.500         1",
            "    Machines                 1.000     1.000     1.000     1.000     1.000        40",
            "Definition                Entities  Total ms       Avg       Min       Max  Behavior  Movement   Physics    Solver",
            "a,b|c                           40     1.000     1.000     1.000     1.000     1.000     0.000     0.000     0.000",
            "(no entity)                            1.000     1.000     1.000     1.000     0.000     0.000     0.000     0.000",
        ];
        assert_eq!(lines, expected, "{lines:#?}");
    }

    #[test]
    fn the_tables_as_markdown_and_as_comma_separated_values() {
        let markdown = profile().markdown(Span::Recent);
        assert!(
            markdown.contains("\n| System | Total ms | Self ms | Avg | Min | Max | Calls |\n| --- | ---: |"),
            "{markdown}"
        );
        assert!(markdown.contains("\n| \u{2003}Updates | 1.500 | 0.500 |"), "{markdown}");
        assert!(markdown.contains("\n| a,b\\|c | 40 | 1.000 |"), "{markdown}");
        let csv = profile().csv(Span::Recent);
        assert!(csv.starts_with("System,Total ms,Self ms,Avg,Min,Max,Calls\nTick,2.000,0.500,"), "{csv}");
        assert!(
            csv.contains("\nTick/Updates/Machines,1.000,1.000,1.000,1.000,1.000,40\n\nDefinition,Entities,"),
            "{csv}"
        );
        assert!(csv.contains("\n\"a,b|c\",40,1.000,"), "{csv}");
    }
}
