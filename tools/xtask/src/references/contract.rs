//! The pages of the contract and their anchors.

use std::collections::{BTreeMap, BTreeSet};

use markdown::{anchors, headings};

use crate::{project::Project, references::pages};

const FOLDER: &str = "docs/contract/";
/// Number of operations that have a number: 4.1 to 4.25.
const NUMBERED: usize = 25;

/// A place of the contract.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Anchor {
    /// The page without folder and ending.
    pub(super) page: String,
    line: usize,
}

/// All pages with their anchors.
#[derive(Debug, Default)]
pub(super) struct Contract {
    anchors: BTreeMap<String, Anchor>,
    pages: BTreeSet<String>,
    /// The headings of numbered operations: number, title, place.
    numbers: Vec<(String, String, Anchor)>,
    repeated: Vec<String>,
}

impl Contract {
    /// The pages that are there.
    pub(super) fn open(project: &Project) -> Result<Self, String> {
        let mut texts = Vec::new();
        for name in pages::names(project)?.iter().filter(|name| name.starts_with("contract/")) {
            let file = format!("docs/{name}.md");
            texts.push((project.read(&file)?, file));
        }
        Ok(Self::read(texts.iter().map(|(text, file)| (file.as_str(), text.as_str()))))
    }

    /// Of all files, those of the contract.
    pub(super) fn read<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut contract = Self::default();
        for (name, text) in files {
            let page = name.strip_prefix(FOLDER).and_then(|name| name.strip_suffix(".md"));
            if let Some(page) = page {
                contract.add(page, text);
            }
        }
        contract
    }

    fn add(&mut self, page: &str, text: &str) {
        self.pages.insert(page.to_owned());
        let place = |line| Anchor { page: page.to_owned(), line };
        for anchor in anchors(text).into_iter().filter(|anchor| anchor.is_explicit) {
            let (line, id) = (anchor.line, anchor.id);
            if let Some(other) = self.anchors.get(&id) {
                let (first, line) = (other.line, line);
                self.repeated.push(format!(
                    "{FOLDER}{page}.md:{line}: the anchor `{id}` is also in {FOLDER}{}.md:{first}; \
                     rename one",
                    other.page
                ));
            } else {
                self.anchors.insert(id, place(line));
            }
        }
        for (line, title) in headings(text) {
            let numbered = title.strip_suffix(')').and_then(|title| title.rsplit_once(" ("));
            if let Some((title, number)) = numbered.filter(|(_, n)| n.starts_with("4.")) {
                self.numbers.push((number.to_owned(), title.to_owned(), place(line)));
            }
        }
    }

    /// Whether there is such an anchor, or a page of that name.
    pub(super) fn has(&self, id: &str) -> bool {
        self.anchors.contains_key(id) || self.pages.contains(id)
    }

    /// The page of an anchor, or the page of that name.
    pub(super) fn page(&self, id: &str) -> Option<&str> {
        let page = self.anchors.get(id).map(|place| place.page.as_str());
        page.or_else(|| self.pages.get(id).map(String::as_str))
    }

    /// One sentence for each section that is missing, repeated or of no operation.
    pub(super) fn faults(&self, operations: &[&str]) -> Vec<String> {
        let mut faults = self.repeated.clone();
        for name in operations {
            let page = page_of(name);
            if self.anchors.get(*name).is_none_or(|place| place.page != page) {
                faults.push(format!(
                    "{FOLDER}{page}.md: does not describe the operation {name}; begin its section \
                     with <a id=\"{name}\"></a>"
                ));
            }
        }
        for (number, title, place) in &self.numbers {
            if !operations.contains(&title.as_str()) {
                faults.push(format!(
                    "{FOLDER}{}.md:{}: `{title}` ({number}) is no operation; see cargo xtask operations",
                    place.page, place.line
                ));
            }
        }
        for number in (1..=NUMBERED).map(|n| format!("4.{n}")) {
            let places: Vec<_> = self.numbers.iter().filter(|(it, ..)| *it == number).collect();
            match places.as_slice() {
                [_] => {}
                [] => faults.push(format!(
                    "{FOLDER}: has no operation {number}; its heading is `## name ({number})`"
                )),
                [_, (.., place), ..] => faults.push(format!(
                    "{FOLDER}{}.md:{}: is a second operation {number}",
                    place.page, place.line
                )),
            }
        }
        faults
    }
}

/// The page of an operation: that of its family.
fn page_of(operation: &str) -> String {
    let family = operation.split('.').next().unwrap_or_default();
    family.replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::{Contract, NUMBERED};

    fn contract(pages: &[(&str, &str)]) -> Contract {
        let pages: Vec<_> =
            pages.iter().map(|(page, text)| (format!("docs/contract/{page}.md"), *text)).collect();
        Contract::read(pages.iter().map(|(name, text)| (name.as_str(), *text)))
    }

    const USERS: &str = "# Users\n\n<a id=\"users.add\"></a>\n## users.add (4.19)\n";

    #[test]
    fn anchors_and_pages_are_found() {
        let contract =
            contract(&[("users", USERS), ("conventions", "<a id=\"N8\"></a>**N8.** So.\n")]);
        assert!(contract.has("users.add") && contract.has("users") && contract.has("N8"));
        assert_eq!(contract.page("N8"), Some("conventions"));
        // The anchor of a heading changes with its words.
        assert!(!contract.has("usersadd-419"));
    }

    #[test]
    fn every_operation_has_its_anchor_on_the_page_of_its_family() {
        let groups = "<a id=\"user-groups.add\"></a>\n## user-groups.add\n";
        let found = |pages: &[(&str, &str)]| {
            let faults = contract(pages).faults(&["users.add", "user-groups.add"]);
            faults.into_iter().filter(|fault| !fault.contains("has no operation")).count()
        };
        assert_eq!(found(&[("users", USERS), ("user-groups", groups)]), 0);
        assert_eq!(found(&[("users", USERS), ("groups", groups)]), 1);
        assert_eq!(found(&[("users", USERS)]), 1);
    }

    #[test]
    fn numbered_operations_occur_once() {
        let faults = contract(&[("users", USERS)]).faults(&["users.add"]);
        assert_eq!(faults.len(), NUMBERED - 1, "{faults:?}");
        let twice = contract(&[("users", USERS), ("x", "## users.add (4.19)\n\n## y.z (4.2)\n")]);
        let faults = twice.faults(&["users.add"]);
        assert!(faults.iter().any(|it| it.contains("x.md:1: is a second operation 4.19")));
        assert!(faults.iter().any(|it| it.contains("x.md:3: `y.z` (4.2) is no operation")));
    }

    #[test]
    fn an_anchor_is_unique_in_all_pages() {
        let twice = contract(&[("users", USERS), ("x", "\n<a id=\"users.add\"></a>\n")]);
        let fault =
            "docs/contract/x.md:2: the anchor `users.add` is also in docs/contract/users.md:3";
        assert!(twice.repeated[0].starts_with(fault), "{:?}", twice.repeated);
    }
}
