//! The ways of docs/WAYS.md: the files that a reader opens in order to follow one.

use std::collections::{BTreeMap, BTreeSet};

use crate::project::Project;

const PAGE: &str = "docs/WAYS.md";

/// A way, and the most files and crates that it should have.
struct Goal {
    title: &'static str,
    files: usize,
    crates: usize,
}

const GOALS: [Goal; 3] = [
    Goal { title: "A comment to its delivered webhook", files: 45, crates: 10 },
    Goal { title: "A comment to its notification and its mail", files: 30, crates: 7 },
    Goal { title: "A keystroke to the other screen", files: 26, crates: 9 },
];

/// One sentence for each fault of the page.
pub(super) fn faults(project: &Project) -> Result<Vec<String>, String> {
    Ok(wrong(&project.read(PAGE)?, |file| project.has(file)))
}

/// The length of each way beside its goal.
pub(super) fn figures(project: &Project) -> Result<String, String> {
    let page = project.read(PAGE)?;
    let ways = ways(&page);
    let figures = GOALS.iter().map(|Goal { title, files, crates }| {
        let way = ways.get(title).map_or(&[][..], Vec::as_slice);
        let own: BTreeSet<&str> = way.iter().filter_map(|(_, file)| crate_of(file)).collect();
        let is_met = way.len() <= *files && own.len() <= *crates;
        format!(
            "{:4} in {:2} {title}; the goal is {files} in {crates}: {}\n",
            way.len(),
            own.len(),
            if is_met { "met" } else { "missed" }
        )
    });
    Ok(figures.collect())
}

fn wrong(page: &str, is_file: impl Fn(&str) -> bool) -> Vec<String> {
    let ways = ways(page);
    let missing = GOALS.iter().filter(|goal| ways.get(goal.title).is_none_or(Vec::is_empty));
    let mut faults: Vec<String> =
        missing.map(|goal| format!("{PAGE}: lists no files below `## {}`", goal.title)).collect();
    for way in ways.values() {
        let mut seen = BTreeSet::new();
        for (line, file) in way {
            let fault = if crate_of(file).is_none() {
                "is in neither functions nor shared"
            } else if !is_file(file) {
                "does not exist"
            } else if !seen.insert(file) {
                "is listed twice"
            } else {
                continue;
            };
            faults.push(format!("{PAGE}:{line}: {file} {fault}"));
        }
    }
    faults
}

/// The crate of a file, by its folder.
fn crate_of(file: &str) -> Option<&str> {
    let (folder, rest) = file.split_once('/')?;
    let end = folder.len() + 1 + rest.find('/')?;
    ["functions", "shared"].contains(&folder).then_some(&file[..end])
}

/// The files below each heading, with their lines: the first words in backticks of numbered items.
fn ways(page: &str) -> BTreeMap<&str, Vec<(usize, &str)>> {
    let mut ways: BTreeMap<&str, Vec<(usize, &str)>> = BTreeMap::new();
    let mut title = "";
    for (n, line) in page.lines().enumerate() {
        if let Some(heading) = line.strip_prefix("## ") {
            title = heading;
        }
        let item = line.split_once(". `").filter(|(n, _)| n.bytes().all(|it| it.is_ascii_digit()));
        if let Some((file, _)) = item.and_then(|(_, item)| item.split_once('`')) {
            ways.entry(title).or_default().push((n + 1, file));
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::{GOALS, wrong};

    fn faults(item: &str) -> Vec<String> {
        let way =
            |title| format!("## {title}\n\nText.\n\n1. `shared/a/src/b.rs`: begins.\n{item}\n\n");
        let page: String = GOALS.iter().map(|goal| way(goal.title)).collect();
        wrong(&page, |file| file != "shared/a/src/none.rs")
    }

    #[test]
    fn every_file_of_a_way_exists_and_is_listed_once() {
        assert_eq!(faults("2. `functions/a/src/c.rs`: goes on, in `x`."), [""; 0]);
        for (item, fault) in [
            ("2. `shared/a/src/none.rs`: is gone.", "does not exist"),
            ("2. `shared/a/src/b.rs`: again.", "is listed twice"),
            ("2. `tools/a/src/b.rs`: is elsewhere.", "is in neither functions nor shared"),
        ] {
            let faults = faults(item);
            assert_eq!(faults.len(), GOALS.len(), "{faults:?}");
            assert!(
                faults[0].starts_with("docs/WAYS.md:6: ") && faults[0].ends_with(fault),
                "{faults:?}"
            );
        }
    }

    #[test]
    fn a_way_without_files_is_a_fault() {
        let faults = wrong("## Another\n\n1. `shared/a/src/b.rs`: begins.\n", |_| true);
        assert_eq!(faults.len(), GOALS.len(), "{faults:?}");
    }
}
