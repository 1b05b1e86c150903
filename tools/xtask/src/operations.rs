//! The table of operations, in docs/OPERATIONS.md and on the terminal.

use crate::project::{Project, around};

const FILE: &str = "docs/OPERATIONS.md";
const MARKS: (&str, &str) = ("<!-- operations: begin -->", "<!-- operations: end -->");

/// docs/OPERATIONS.md with the expected table.
pub(crate) fn render(project: &Project) -> Result<String, String> {
    let text = project.read_if_there(FILE)?;
    let text = text.unwrap_or_else(|| format!("{}\n{}\n", MARKS.0, MARKS.1));
    let (before, after) = around(FILE, &text, MARKS)?;
    Ok(format!("{before}\n{}\n{after}", table(project)))
}

/// All paths of all operations, one per line.
pub(crate) fn paths(project: &Project) -> String {
    project.specs().flat_map(|spec| spec.paths).map(|path| format!("{path}\n")).collect()
}

fn table(project: &Project) -> String {
    let mut table = String::from("| `POST` | Level | |\n|---|---|---|\n");
    for spec in project.specs() {
        let paths: Vec<String> = spec.paths.iter().map(|path| format!("`{path}`")).collect();
        let (level, summary) = (spec.level, spec.summary);
        let users = match spec.end_users.may_call() {
            false => String::new(),
            true => format!(", {}", spec.end_users.callers()),
        };
        table.push_str(&format!("| {} | {level}{users} | {summary} |\n", paths.join("<br>")));
    }
    table
}

/// All operations with their paths, level and binary.
pub(crate) fn listing(project: &Project) -> String {
    let mut rows = vec![["operation", "level", "paths", "binary", "summary"].map(str::to_owned)];
    for spec in project.specs() {
        let paths = spec.paths.join(" ");
        let [name, level, summary] = [spec.name, spec.level, spec.summary].map(str::to_owned);
        rows.push([name, level, paths, spec.binary(), summary]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..4).map(width).collect();
    let line = |row: &[String; 5]| {
        let padded = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}  "));
        format!("{}{}\n", padded.collect::<String>(), row[4])
    };
    rows.iter().map(line).collect()
}
