//! Checks docs/CONTRACT_TESTS.md: each named test exists, and no numbered operation is missing.

use std::collections::BTreeSet;

use crate::project::Project;

/// The tables of rules and their tests.
const TABLES: &str = "docs/CONTRACT_TESTS.md";
/// Number of operations that have a number: 4.1 to 4.25.
pub(crate) const NUMBERED: usize = 25;

/// A row: the number of the operation whose heading it is below, and its last cell.
struct Row<'a> {
    line: usize,
    number: Option<&'a str>,
    tests: &'a str,
}

/// One sentence for each fault of the tables.
pub(crate) fn faults(project: &Project) -> Result<Vec<String>, String> {
    wrong(&project.read(TABLES)?, |file| project.read_if_there(file))
}

fn wrong(
    tables: &str,
    read: impl Fn(&str) -> Result<Option<String>, String>,
) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    let mut numbers = BTreeSet::new();
    for row in rows(tables) {
        numbers.extend(row.number);
        let names: Vec<&str> = row.tests.split('`').skip(1).step_by(2).collect();
        if names.is_empty() {
            faults.push(format!("{TABLES}:{}: names no test", row.line));
        }
        for name in names {
            if let Some(fault) = missing(name, &read)? {
                faults.push(format!("{TABLES}:{}: {fault}", row.line));
            }
        }
    }
    for number in (1..=NUMBERED).map(|n| format!("4.{n}")) {
        if !numbers.contains(number.as_str()) {
            faults.push(format!("{TABLES}: has no row for operation {number}"));
        }
    }
    Ok(faults)
}

/// The rows of all tables without their heads.
fn rows(tables: &str) -> Vec<Row<'_>> {
    let (mut rows, mut number, mut is_body) = (Vec::new(), None, false);
    for (n, line) in tables.lines().enumerate() {
        if line.starts_with('#') {
            number = line.rsplit_once('(').and_then(|(_, end)| end.strip_suffix(')'));
        }
        let cells = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|'));
        let cells = cells.and_then(|cells| cells.rsplit_once('|'));
        match cells {
            None => is_body = false,
            Some((_, last)) if last.starts_with("---") => is_body = true,
            Some((_, tests)) if is_body => rows.push(Row { line: n + 1, number, tests }),
            Some(_) => {}
        }
    }
    rows
}

/// The fault of a test name, such as `folders::get::siblings_come_by_name_then_id`.
fn missing(
    name: &str,
    read: impl Fn(&str) -> Result<Option<String>, String>,
) -> Result<Option<String>, String> {
    let Some((module, function)) = name.rsplit_once("::") else {
        return Ok(Some(format!("`{name}` is not the path of a test")));
    };
    let file = format!("tests/it/{}.rs", module.replace("::", "/"));
    let Some(source) = read(&file)? else {
        return Ok(Some(format!("`{name}`: there is no {file}")));
    };
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let is_test = lines.windows(2).any(|pair| {
        let signature = pair[1].strip_prefix("async ").unwrap_or(pair[1]);
        let own = signature.strip_prefix("fn ").and_then(|rest| rest.strip_prefix(function));
        own.is_some_and(|rest| rest.starts_with('(')) && pair[0].contains("test")
    });
    Ok((!is_test).then(|| format!("`{name}`: there is no such test in {file}")))
}

#[cfg(test)]
mod tests {
    use super::{NUMBERED, wrong};

    const SOURCE: &str = "#[tokio::test]\nasync fn first() {\n}\n\nfn helper() {}\n";

    /// A table with one row for every operation, which names `test`.
    fn tables(test: &str) -> String {
        let table = |n| {
            format!("## [a.b](c.md#a.b) (4.{n})\n\n| Rule | Tests |\n|---|---|\n| a | {test} |\n\n")
        };
        (1..=NUMBERED).map(table).collect()
    }

    fn faults(tables: &str) -> Vec<String> {
        let read = |file: &str| Ok((file == "tests/it/a/b.rs").then(|| SOURCE.to_owned()));
        wrong(tables, read).expect("nothing fails to be read")
    }

    #[test]
    fn every_test_named_exists() {
        assert_eq!(faults(&tables("`a::b::first`")), [""; 0]);
        for (name, reason) in [
            ("`a::b::second`", "no such test in tests/it/a/b.rs"),
            ("`a::b::firs`", "no such test"),
            ("`a::b::helper`", "no such test"),
            ("`a::c::first`", "no tests/it/a/c.rs"),
            ("`first`", "not the path of a test"),
            ("—", "names no test"),
            ("", "names no test"),
        ] {
            let faults = faults(&tables(name));
            assert_eq!(faults.len(), NUMBERED, "{name}: {faults:?}");
            assert!(faults[0].starts_with("docs/CONTRACT_TESTS.md:5: "), "{faults:?}");
            assert!(faults[0].contains(reason), "{faults:?}");
        }
        let second = faults(&tables("`a::b::first`, `a::b::second`"));
        assert_eq!(second.len(), NUMBERED, "not the first alone");
    }

    #[test]
    fn every_numbered_operation_has_a_row() {
        let without = tables("`a::b::first`").replace("(4.7)", "(7)");
        assert_eq!(faults(&without), ["docs/CONTRACT_TESTS.md: has no row for operation 4.7"]);
    }
}
