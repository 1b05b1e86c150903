//! The list of operations, in docs/OPERATIONS.md and on the terminal.

use crate::project::{Project, around};

const FILE: &str = "docs/OPERATIONS.md";
const MARKS: (&str, &str) = ("<!-- operations: begin -->", "<!-- operations: end -->");
/// The level that the list leaves out.
const USUAL_LEVEL: &str = "apiKey";

/// docs/OPERATIONS.md with the expected list.
pub(crate) fn render(project: &Project) -> Result<String, String> {
    let text = project.read_if_there(FILE)?;
    let text = text.unwrap_or_else(|| format!("{}\n{}\n", MARKS.0, MARKS.1));
    let (before, after) = around(FILE, &text, MARKS)?;
    Ok(format!("{before}\n{}\n{after}", list(project)))
}

/// All paths of all operations, one per line.
pub(crate) fn paths(project: &Project) -> String {
    project.specs().flat_map(|spec| spec.paths).map(|path| format!("{path}\n")).collect()
}

fn list(project: &Project) -> String {
    let mut list = String::new();
    for spec in project.specs() {
        let paths: Vec<String> = spec.paths.iter().map(|path| format!("`{path}`")).collect();
        let callers = match spec.end_users.may_call() {
            true => format!(" ({})", spec.end_users.callers()),
            false if spec.level == USUAL_LEVEL => String::new(),
            false => format!(" ({})", spec.level),
        };
        list.push_str(&format!("- {}{callers}: {}\n", paths.join(", "), spec.summary));
    }
    list
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
