//! The file `access.rs` of a family, which `cargo xtask record` writes.

use std::collections::{BTreeMap, BTreeSet};

use service::{Access, Queue, Table, Verb};

/// The indexes, and their names in the file.
const INDEXES: [(Access, &str); 6] = [
    (Access::RESOURCES, "RESOURCES"),
    (Access::BY_KIND, "BY_KIND"),
    (Access::BY_ACTOR, "BY_ACTOR"),
    (Access::BY_TARGET, "BY_TARGET"),
    (Access::DUE, "DUE"),
    (Access::DUE_OF_TENANT, "DUE_OF_TENANT"),
];

/// Rights, each verb by itself.
pub fn single_rights(access: &[Access]) -> Vec<Access> {
    let single = |access: &Access| match *access {
        Access::Table(table, verbs) => on_table(table, verbs),
        other => vec![other],
    };
    access.iter().flat_map(single).collect()
}

/// Every right that a test run can show to be missing; the admin token is no request of a function.
pub fn every_right() -> Vec<Access> {
    const VERBS: &[Verb] = &Verb::ALL;
    let tables = Table::ALL.into_iter().flat_map(|table| on_table(table, VERBS));
    let indexes = INDEXES.into_iter().map(|(index, _)| index);
    let queues = Queue::ALL.into_iter().map(Access::Send);
    tables.chain(indexes).chain(queues).chain([Access::SendMail, Access::Post]).collect()
}

fn on_table(table: Table, verbs: &'static [Verb]) -> Vec<Access> {
    verbs.iter().map(|verb| Access::Table(table, std::slice::from_ref(verb))).collect()
}

/// The file with these single rights, before `rustfmt`. Comments of the former file stay with their
/// entries.
pub fn file(rights: &[Access], former: &str) -> String {
    let (entries, verbs) = entries(rights);
    let heads: BTreeSet<&str> = entries
        .iter()
        .filter_map(|entry| entry.split('(').next())
        .filter(|head| !head.contains(':'))
        .collect();
    let own: Vec<&str> = ["self"].into_iter().chain(heads.iter().copied()).collect();
    let mut imports = match heads.is_empty() {
        true => vec!["Access".to_owned()],
        false => vec![format!("Access::{{{}}}", own.join(", "))],
    };
    imports.extend(heads.contains("Send").then(|| "Queue".to_owned()));
    imports.extend(heads.contains("Table").then(|| "Table as Stored".to_owned()));
    match &names(&verbs)[..] {
        [] => {}
        [one] => imports.push(format!("Verb::{one}")),
        all => imports.push(format!("Verb::{{{}}}", all.join(", "))),
    }
    let comments = comments(former);
    let entry = |entry: &String| {
        let comment = comments.get(key(entry)).map_or("", String::as_str);
        format!("{comment}{entry},\n")
    };
    format!(
        "//! The rights of the functions of this family, as `cargo xtask record` writes them.\n\n\
         use service::{{{}}};\n\npub const ACCESS: &[Access] = &[\n{}];\n",
        imports.join(", "),
        entries.iter().map(entry).collect::<String>()
    )
}

/// The entries of the file, in the order of the rights, and the verbs that they name.
fn entries(rights: &[Access]) -> (Vec<String>, BTreeSet<Verb>) {
    let mut tables = BTreeMap::<Table, BTreeSet<Verb>>::new();
    for right in rights {
        if let Access::Table(table, verbs) = right {
            tables.entry(*table).or_default().extend(*verbs);
        }
    }
    let (mut entries, mut named) = (Vec::new(), BTreeSet::new());
    for right in rights {
        let entry = match right {
            Access::Table(table, _) => match tables.remove(table) {
                None => continue,
                Some(verbs) if verbs.len() == 1 && *right == Access::NAMED_CALLS => {
                    "Access::NAMED_CALLS".to_owned()
                }
                Some(verbs) => {
                    let entry =
                        format!("Table(Stored::{table:?}, &[{}])", names(&verbs).join(", "));
                    named.extend(verbs);
                    entry
                }
            },
            Access::Send(queue) => format!("Send(Queue::{queue:?})"),
            // The compiler refuses an index that has no name.
            Access::Index(..) => INDEXES
                .iter()
                .find(|(index, _)| index == right)
                .map_or_else(|| format!("{right:?}"), |(_, name)| format!("Access::{name}")),
            Access::SendMail | Access::Post | Access::AdminToken => format!("{right:?}"),
        };
        entries.push(entry);
    }
    (entries, named)
}

fn names(verbs: &BTreeSet<Verb>) -> Vec<String> {
    verbs.iter().map(|verb| format!("{verb:?}")).collect()
}

/// The comments above entries, each by the key of its entry.
fn comments(file: &str) -> BTreeMap<String, String> {
    let (mut comments, mut above) = (BTreeMap::new(), String::new());
    let list = file.split_once("ACCESS").map_or("", |(_, list)| list);
    let mut lines = list.lines();
    while let Some(line) = lines.next() {
        if line.trim().starts_with("//") {
            above = above + line.trim() + "\n";
        } else if !above.is_empty() {
            let rest = [line].into_iter().chain(lines.clone()).flat_map(str::chars);
            let entry: String = rest.filter(|letter| !letter.is_whitespace()).collect();
            comments.insert(key(&entry).to_owned(), std::mem::take(&mut above));
        }
    }
    comments
}

/// The text that tells an entry from others, whatever verbs it has: that before the first comma.
fn key(entry: &str) -> &str {
    entry.split(',').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use service::{Access, Queue, Table, Verb};

    use super::{every_right, file, single_rights};
    use crate::families;

    /// Without what `rustfmt` changes.
    fn bare(text: &str) -> String {
        let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        text.replace(",]", "]").replace(",)", ")").replace(",}", "}")
    }

    #[test]
    fn the_file_of_each_family_is_as_it_would_be_written() {
        for family in families() {
            let name = format!("functions/{}/src/access.rs", family.name);
            let path = format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
            let found = fs::read_to_string(path).unwrap();
            let wanted = file(&single_rights(family.access), &found);
            assert_eq!(bare(&found), bare(&wanted), "{name}: write it by `cargo xtask record`");
        }
    }

    #[test]
    fn a_right_joins_the_entry_of_its_table_and_comments_stay() {
        let former = "pub const ACCESS: &[Access] = &[\n    // Of users.\n    // And of groups.\n    \
                      Table(\n        Stored::Crdt,\n        &[Query],\n    ),\n];\n";
        let mut rights = single_rights(&[
            Access::RESOURCES,
            Access::Table(Table::Crdt, &[Verb::Query]),
            Access::NAMED_CALLS,
        ]);
        rights.extend([Access::Table(Table::Crdt, &[Verb::GetItem]), Access::Send(Queue::Live)]);
        let text = file(&rights, former);
        let (head, list) = text.split_once("\n\npub const").unwrap();
        assert!(head.ends_with(
            "use service::{Access::{self, Send, Table}, Queue, Table as Stored, \
             Verb::{GetItem, Query}};"
        ));
        assert_eq!(
            list,
            " ACCESS: &[Access] = &[\nAccess::RESOURCES,\n// Of users.\n// And of groups.\n\
             Table(Stored::Crdt, &[GetItem, Query]),\nAccess::NAMED_CALLS,\n\
             Send(Queue::Live),\n];\n"
        );
        assert!(file(&[], "").contains("use service::{Access};"));
    }

    #[test]
    fn every_right_of_a_family_can_be_found_missing() {
        let all = every_right();
        for family in families() {
            for right in single_rights(family.access) {
                assert!(right == Access::AdminToken || all.contains(&right), "{right:?}");
            }
        }
    }
}
