//! The bounds in docs/THREATS.md have the numbers of the constants that set them.

use std::fs;

use crate::project::Project;

const FILE: &str = "docs/THREATS.md";
/// The heading of the column with the places.
const COLUMN: &str = "| Set in |";

/// One sentence for each row whose number is not that of its constant.
pub(crate) fn faults(project: &Project) -> Result<Vec<String>, String> {
    let read = |path: &str| {
        fs::read_to_string(project.root.join(path)).map_err(|error| format!("{path}: {error}"))
    };
    let text = read(FILE)?;
    let mut faults = Vec::new();
    for row in rows(&text) {
        let said: String = row.number.chars().filter(char::is_ascii_digit).collect();
        let set = read(row.path)?;
        let number = match row.path.ends_with(".rs") {
            true => constant(&set, row.name),
            false => parameter(&set, row.name),
        };
        if number.map(|number| number.to_string()).as_deref() != Some(said.as_str()) {
            let set = number.map_or("no number".to_owned(), |number| number.to_string());
            let (path, name) = (row.path, row.name);
            faults.push(format!("{FILE}: a bound is {said}, but {name} of {path} is {set}"));
        }
    }
    Ok(faults)
}

/// A row: its number, and the place of its constant.
struct Row<'a> {
    number: &'a str,
    path: &'a str,
    name: &'a str,
}

fn rows(text: &str) -> impl Iterator<Item = Row<'_>> {
    let tables = text.split(COLUMN).skip(1);
    let lines = tables.flat_map(|table| table.lines().skip(2).take_while(|it| it.starts_with('|')));
    lines.filter_map(|line| {
        // The first cell with nothing but a number.
        let is_number =
            |cell: &&str| cell.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
        let number =
            line.split('|').map(str::trim).find(|cell| !cell.is_empty() && is_number(cell))?;
        let quoted: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
        let [.., path, name] = quoted.as_slice() else { return None };
        Some(Row { number, path, name })
    })
}

/// The value of a constant in Rust: a product of integers.
fn constant(source: &str, name: &str) -> Option<u64> {
    let (_, rest) = source.split_once(&format!("const {name}: "))?;
    let (_, value) = rest.split_once(';')?.0.split_once('=')?;
    let factor = |factor: &str| factor.trim().replace('_', "").parse::<u64>().ok();
    value.split('*').map(factor).try_fold(1, |product, factor| Some(product * factor?))
}

/// The default of a parameter of the template.
fn parameter(template: &str, name: &str) -> Option<u64> {
    let (_, rest) = template.split_once(&format!("\n  {name}:\n"))?;
    rest.split_once("Default: ")?.1.lines().next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{constant, parameter, rows};

    #[test]
    fn rows_name_a_number_and_its_place() {
        let text = "| Bound | Who | Number | Set in |\n|---|---|---|---|\n\
            | x `y` | 1 user | 1,000 | `a.rs` `B` |\n| z | 2 | `a.rs` `C` |\n\n| z |";
        let found: Vec<_> = rows(text).map(|row| (row.number, row.path, row.name)).collect();
        assert_eq!(found, [("1,000", "a.rs", "B"), ("2", "a.rs", "C")]);
    }

    #[test]
    fn numbers_are_products_and_defaults() {
        assert_eq!(constant("pub const A: u64 = 1_0 * 2;", "A"), Some(20));
        assert_eq!(constant("const B: u64 = f();", "B"), None);
        assert_eq!(constant("const B: u64 = 1;", "A"), None);
        assert_eq!(parameter("\n  P:\n    Type: Number\n    Default: 7\n", "P"), Some(7));
    }
}
