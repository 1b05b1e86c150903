//! References resolve: to the contract (docs/contract), to decisions, and those of relative links.
//!
//! A reference is the word contract and an id in backticks, a rule such as N8, or the number of a
//! decision. The id is an anchor of a page of the contract, or the page's name.

mod contract;
pub(crate) mod interface;
mod links;
pub(crate) mod pages;
mod places;
mod text;

use std::{collections::BTreeSet, process::Command};

use contract::Contract;

use crate::project::Project;

pub(crate) use links::Pages;

/// Tracked files whose references are checked.
const ENDINGS: &[&str] = &[".rs", ".md", ".yaml", ".py", ".mjs", ".ts", AGENTS];
/// The page for agents.
const AGENTS: &str = "llms.txt";
/// Folder of examples: the text in these tests is no reference.
const EXAMPLES: &str = "tools/xtask/src/references";

/// The index of decisions.
const INDEX: &str = "docs/decisions/README.md";

/// A file with its content.
struct File {
    name: String,
    text: String,
}

/// One sentence for each reference that leads nowhere.
pub(crate) fn faults(project: &Project) -> Result<Vec<String>, String> {
    let names = listed(project)?;
    let mut files = Vec::new();
    for name in &names {
        let is_checked = ENDINGS.iter().any(|ending| name.ends_with(ending));
        let is_example = name.starts_with(EXAMPLES);
        if is_checked && !is_example {
            files
                .extend(project.read_if_there(name)?.map(|text| File { name: name.clone(), text }));
        }
    }
    let operations: Vec<&str> = project.specs().map(|spec| spec.name).collect();
    Ok(wrong(&files, &names, &operations))
}

fn wrong(files: &[File], names: &BTreeSet<String>, operations: &[&str]) -> Vec<String> {
    let texts = files.iter().map(|file| (file.name.as_str(), file.text.as_str()));
    let contract = Contract::read(texts);
    let decisions: BTreeSet<u32> = names.iter().filter_map(|name| decision(name)).collect();
    let mut faults = contract.faults(operations);
    faults.extend(unlisted(files, names));
    for file in files {
        faults.extend(text::faults(file, &contract, &decisions));
        if file.name.ends_with(".md") || file.name == AGENTS {
            faults.extend(places::faults(file, files, names));
        }
    }
    faults
}

/// Decisions that the index does not list.
fn unlisted(files: &[File], names: &BTreeSet<String>) -> Vec<String> {
    let index = files.iter().find(|file| file.name == INDEX).map_or("", |file| &file.text);
    let pages = names.iter().filter(|name| decision(name).is_some());
    let pages = pages.filter_map(|name| name.strip_prefix("docs/decisions/"));
    let pages = pages.filter(|page| !index.contains(&format!("({page})")));
    pages.map(|page| format!("{INDEX} does not list {page}; add it below its subject")).collect()
}

/// The number of a page of docs/decisions.
fn decision(name: &str) -> Option<u32> {
    let (number, _) = name.strip_prefix("docs/decisions/")?.split_once('-')?;
    number.parse().ok()
}

/// The files that git knows, or would add.
fn listed(project: &Project) -> Result<BTreeSet<String>, String> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let output = git.current_dir(&project.root).output();
    let output = output.map_err(|e| format!("git ls-files cannot be run: {e}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let names = String::from_utf8_lossy(&output.stdout);
    let names = names.split('\0').filter(|name| project.has(name));
    Ok(names.map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::{File, INDEX, decision, unlisted, wrong};

    #[test]
    fn a_decision_is_named_by_the_number_of_its_file() {
        assert_eq!(decision("docs/decisions/007-deletions-clean-up-twice.md"), Some(7));
        assert_eq!(decision("docs/LIVE.md"), None);
    }

    #[test]
    fn one_wrong_reference_is_one_fault() {
        let file = |name: &str, text: &str| File { name: name.to_owned(), text: text.to_owned() };
        let numbered = (1..=25).map(|n| format!("<a id=\"a.o{n}\"></a>\n## a.o{n} (4.{n})\n\n"));
        let page = file("docs/contract/a.md", &numbered.collect::<String>());
        let code = file("x.rs", "//! (contract `a.o7`, decision 3, contract `a.none`)\n");
        let readme = file("README.md", "[a](docs/contract/a.md#a.o7) [b](docs/b.md)\n");
        let index = file(INDEX, "[3](003-b.md)\n");
        let names = ["docs/contract/a.md", "docs/decisions/003-b.md", INDEX, "README.md"];
        let names = names.map(str::to_owned).into_iter().collect();
        let operations: Vec<String> = (1..=25).map(|n| format!("a.o{n}")).collect();
        let operations: Vec<&str> = operations.iter().map(String::as_str).collect();
        let faults = wrong(&[page, index, code, readme], &names, &operations);
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[0].starts_with("x.rs:1: there is no contract `a.none`"), "{faults:?}");
        assert!(faults[1].starts_with("README.md:1: "), "{faults:?}");
    }

    #[test]
    fn a_decision_that_the_index_does_not_list_is_named() {
        let names = ["docs/decisions/003-b.md", "docs/decisions/004-c.md"];
        let names = names.map(str::to_owned).into_iter().collect();
        let index = File { name: INDEX.to_owned(), text: "[4](004-c.md)".to_owned() };
        let faults = unlisted(&[index], &names);
        assert_eq!(faults, [format!("{INDEX} does not list 003-b.md; add it below its subject")]);
    }
}
