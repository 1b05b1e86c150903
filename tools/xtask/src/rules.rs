//! Checks docs/INTERFACE_TESTS.md: each named test exists, and no operation of the interface is
//! missing.

use std::collections::BTreeSet;

use crate::project::Project;

/// The table of rules and their tests.
const TABLE: &str = "docs/INTERFACE_TESTS.md";
/// Number of operations of the interface: its sections 4.1 to 4.25.
const OPERATIONS: usize = 25;

/// A row: the section of its rule, and its last cell.
struct Row<'a> {
    line: usize,
    section: &'a str,
    tests: &'a str,
}

/// One sentence for each fault of the table.
pub(crate) fn faults(project: &Project) -> Result<Vec<String>, String> {
    wrong(&project.read(TABLE)?, |file| project.read_if_there(file))
}

fn wrong(
    table: &str,
    read: impl Fn(&str) -> Result<Option<String>, String>,
) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    let mut sections = BTreeSet::new();
    for row in rows(table) {
        sections.insert(row.section);
        let names: Vec<&str> = row.tests.split('`').skip(1).step_by(2).collect();
        if names.is_empty() {
            faults.push(format!("{TABLE}:{}: names no test", row.line));
        }
        for name in names {
            if let Some(fault) = missing(name, &read)? {
                faults.push(format!("{TABLE}:{}: {fault}", row.line));
            }
        }
    }
    for section in (1..=OPERATIONS).map(|n| format!("4.{n}")) {
        if !sections.contains(section.as_str()) {
            faults.push(format!("{TABLE}: has no row for operation {section}"));
        }
    }
    Ok(faults)
}

/// The rows that begin with the number of a section.
fn rows(table: &str) -> impl Iterator<Item = Row<'_>> {
    let is_number = |cell: &str| cell.starts_with(|first: char| first.is_ascii_digit());
    table.lines().enumerate().filter_map(move |(n, line)| {
        let cells = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        let (section, rest) = cells.split_once('|')?;
        let (_, tests) = rest.rsplit_once('|')?;
        let section = section.trim();
        is_number(section).then_some(Row { line: n + 1, section, tests })
    })
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
    use super::{OPERATIONS, wrong};

    const SOURCE: &str = "#[tokio::test]\nasync fn first() {\n}\n\nfn helper() {}\n";

    /// A table with one row for every operation, which names `test`.
    fn table(test: &str) -> String {
        let head = "| | Rule | Tests |\n|---|---|---|\n".to_owned();
        let row = |n| format!("| 4.{n} | a \\| b | {test} |\n");
        head + &(1..=OPERATIONS).map(row).collect::<Vec<_>>().concat()
    }

    fn faults(table: &str) -> Vec<String> {
        let read = |file: &str| Ok((file == "tests/it/a/b.rs").then(|| SOURCE.to_owned()));
        wrong(table, read).expect("nothing fails to be read")
    }

    #[test]
    fn every_test_named_exists() {
        assert_eq!(faults(&table("`a::b::first`")), [""; 0]);
        for (name, reason) in [
            ("`a::b::second`", "no such test in tests/it/a/b.rs"),
            ("`a::b::firs`", "no such test"),
            ("`a::b::helper`", "no such test"),
            ("`a::c::first`", "no tests/it/a/c.rs"),
            ("`first`", "not the path of a test"),
            ("—", "names no test"),
            ("", "names no test"),
        ] {
            let faults = faults(&table(name));
            assert_eq!(faults.len(), OPERATIONS, "{name}: {faults:?}");
            assert!(faults[0].starts_with("docs/INTERFACE_TESTS.md:3: "), "{faults:?}");
            assert!(faults[0].contains(reason), "{faults:?}");
        }
        let second = faults(&table("`a::b::first`, `a::b::second`"));
        assert_eq!(second.len(), OPERATIONS, "not the first alone");
    }

    #[test]
    fn every_operation_has_a_row() {
        let without = table("`a::b::first`").replace("| 4.7 |", "| 7 |");
        assert_eq!(faults(&without), ["docs/INTERFACE_TESTS.md: has no row for operation 4.7"]);
    }
}
