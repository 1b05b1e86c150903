//! One subject, one name: the word of a family is that of its module in the model, of its module and
//! handle in the store, of its file of keys, of its tests, and of its page of the contract. A search
//! for the word finds the whole subject.

use std::collections::BTreeSet;

use crate::project::Project;

/// Where a subject has something of its name.
struct Place {
    name: &'static str,
    folder: &'static str,
    ending: &'static str,
    /// Whether another file there needs a reason: it could be a subject by another word.
    is_closed: bool,
}

/// Crates with modules of subjects write them with `_`, pages with `-`.
const PLACES: [Place; 5] = [
    Place { name: "model", folder: "shared/model/src", ending: ".rs", is_closed: true },
    Place { name: "store", folder: "shared/store/src", ending: ".rs", is_closed: true },
    Place {
        name: "keys",
        folder: "shared/tenancy/src/layout/entities",
        ending: ".rs",
        is_closed: true,
    },
    Place { name: "tests", folder: "tests/it", ending: ".rs", is_closed: false },
    Place { name: "contract", folder: "docs/contract", ending: ".md", is_closed: true },
];

/// The name of the place of handles: a line of the module in the store.
const HANDLE: &str = "handle";

/// Families that have nothing in some places, and why. May only shrink for a family that is there.
const WITHOUT: &[(&str, &[&str], &str)] = &[
    ("cleanup", &["model", "store", "keys", "contract"], "a worker of deletions alone"),
    ("deliveries", &["model", "store", "keys"], "they are in the crate webhook"),
    ("editors", &["keys"], "rows of bytes, whose keys are in the store"),
    ("emails", &["model", "store", "keys"], "rows of the schedule, and the crate mail"),
    ("gateway", &["model", "store", "keys", "contract"], "answers calls of no operation"),
    ("journal", &["model", HANDLE, "keys", "contract"], "its events are those of other subjects"),
    ("live", &["store", "keys"], "they are in the crate rooms"),
    ("operator", &["model", "store", "keys"], "operates on workspaces"),
    ("schedule", &["model", "keys"], "its rows are in the crate notification"),
    ("webhook-endpoints", &["store"], "they are in the crate webhook"),
];

/// Modules and pages that are those of no family, and why. May only shrink.
const OTHERS: &[(&str, &str, &str)] = &[
    ("model", "api_key", "of workspaces, and the scope of every tenant"),
    ("model", "event", "of all subjects"),
    ("model", "life", "of all containers"),
    ("model", "limits", "of a deployment"),
    ("model", "people", "who is named in values of all subjects"),
    ("model", "resource", "of the tokens of end users"),
    ("model", "revision", "of events"),
    ("model", "trigger", "of configurations"),
    ("model", "values", "of all subjects"),
    ("model", "visibility", "of threads and their notifications"),
    ("model", "webhook_body", "of deliveries"),
    ("store", "deletion", "of all subjects; the family cleanup runs it"),
    ("store", "end_users", "the calls of end users to all families"),
    ("store", "room", "limits of several subjects"),
    ("store", "scan", "reads whole tables"),
    ("store", "secrets", "secrets of several subjects"),
    ("keys", "containers", "what others are in"),
    ("contract", "README", "the index"),
    ("contract", "conventions", "of all families"),
];

/// One sentence for each subject with another name.
pub(super) fn faults(project: &Project) -> Result<Vec<String>, String> {
    let families: Vec<&str> =
        project.functions().filter_map(|package| package.dir.strip_prefix("functions/")).collect();
    let mut faults = Vec::new();
    for family in &families {
        for place in &PLACES {
            let files = files(place, family);
            let is_there = files.iter().any(|file| project.has(file));
            faults.extend(wrong(family, place.name, is_there, &files[0]));
        }
        let store = files(&PLACES[1], family).remove(0);
        if let Some(text) = project.read_if_there(&store)? {
            let handle = format!("\n    {}: ", family.replace('-', "_"));
            faults.extend(wrong(family, HANDLE, text.contains(&handle), &store));
        }
    }
    for place in PLACES.iter().filter(|place| place.is_closed) {
        let names = project.names(place.folder, place.ending)?;
        let known = families.iter().flat_map(|family| files(place, family)).collect();
        faults.extend(strangers(place, &names, &known));
    }
    faults.extend(without_place(&families));
    Ok(faults)
}

/// The file of a family at a place; in the model, modules are named in the singular, too.
fn files(place: &Place, family: &str) -> Vec<String> {
    let word = match place.ending {
        ".md" => family.to_owned(),
        _ => family.replace('-', "_"),
    };
    let file = |word: &str| format!("{}/{word}{}", place.folder, place.ending);
    let mut files = vec![file(&word)];
    if place.name == "model" {
        files.extend(singular(&word).map(|one| file(&one)));
    }
    files
}

fn singular(word: &str) -> Option<String> {
    let one = match word.strip_suffix("ies") {
        Some(head) => format!("{head}y"),
        None => word.strip_suffix('s')?.to_owned(),
    };
    Some(one)
}

fn wrong(family: &str, place: &str, is_there: bool, file: &str) -> Option<String> {
    let excuse = WITHOUT.iter().find(|(of, places, _)| *of == family && places.contains(&place));
    match (is_there, excuse) {
        (false, None) => Some(format!(
            "functions/{family}: has no {place} of its name, in {file}; the subject has one name \
             everywhere, unless WITHOUT says why not"
        )),
        (true, Some(_)) => Some(format!(
            "functions/{family}: has a {place} in {file} by now; change its line of WITHOUT"
        )),
        _ => None,
    }
}

/// The files of a place that are those of no family.
fn strangers(place: &Place, names: &[String], known: &BTreeSet<String>) -> Vec<String> {
    let Place { name, folder, ending, .. } = place;
    let excused = |word: &str| OTHERS.iter().any(|(at, of, _)| at == name && *of == word);
    let is_root = |word: &str| word == "lib";
    let of_none = names.iter().filter(|word| {
        !known.contains(&format!("{folder}/{word}{ending}")) && !excused(word) && !is_root(word)
    });
    let mut faults: Vec<String> = of_none
        .map(|word| {
            format!(
                "{folder}/{word}{ending}: is named after no family; use the word of the family, or \
                 say in OTHERS whose it is"
            )
        })
        .collect();
    let is_needed = |of: &str| {
        names.iter().any(|it| it == of) && !known.contains(&format!("{folder}/{of}{ending}"))
    };
    let needless = OTHERS.iter().filter(|(at, of, _)| at == name && !is_needed(of));
    faults.extend(needless.map(|(_, of, _)| {
        format!("{folder}/{of}{ending}: is gone, or of a family; take its line out of OTHERS")
    }));
    faults
}

/// Lines of the lists that no family and no place has.
fn without_place(families: &[&str]) -> Vec<String> {
    let is_place = |name: &&str| *name == HANDLE || PLACES.iter().any(|place| place.name == *name);
    let is_closed = |name: &str| PLACES.iter().any(|place| place.is_closed && place.name == name);
    let without = WITHOUT
        .iter()
        .filter(|(family, places, _)| !families.contains(family) || !places.iter().all(is_place));
    let without = without.map(|(family, ..)| {
        format!("WITHOUT: {family} is no family, or is without what is no place")
    });
    let others = OTHERS.iter().filter(|(place, ..)| !is_closed(place));
    without
        .chain(
            others.map(|(place, of, _)| {
                format!("OTHERS: {of} is of {place}, which needs no reasons")
            }),
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{PLACES, WITHOUT, files, strangers, without_place, wrong};

    #[test]
    fn a_family_without_a_module_of_its_name_is_refused() {
        assert_eq!(wrong("comments", "store", true, "comments.rs"), None);
        assert!(wrong("comments", "store", false, "comments.rs").is_some());
        assert_eq!(wrong("schedule", "keys", false, "schedule.rs"), None);
        assert!(wrong("schedule", "keys", true, "schedule.rs").is_some(), "the excuse is gone");
    }

    #[test]
    fn an_excuse_is_of_a_family_and_a_place() {
        let mut families: Vec<&str> = WITHOUT.iter().map(|(family, ..)| *family).collect();
        assert_eq!(without_place(&families), [""; 0]);
        families.pop();
        assert_eq!(without_place(&families).len(), 1);
    }

    #[test]
    fn the_model_may_have_the_singular() {
        let all = |family| files(&PLACES[0], family).join(" ");
        assert_eq!(
            all("user-groups"),
            "shared/model/src/user_groups.rs shared/model/src/user_group.rs"
        );
        assert!(all("activities").ends_with("/activity.rs"));
        assert_eq!(files(&PLACES[4], "user-data"), ["docs/contract/user-data.md"]);
    }

    #[test]
    fn a_module_by_another_word_is_refused() {
        let strangers = |names: &[&str], family| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            strangers(&PLACES[2], &names, &files(&PLACES[2], family).into_iter().collect())
        };
        let faults = strangers(&["comments", "containers", "threads"], "comments");
        assert!(faults.len() == 1 && faults[0].contains("threads.rs"), "{faults:?}");
        assert_eq!(strangers(&["comments"], "comments").len(), 1, "the excused one is gone");
        assert_eq!(strangers(&["containers"], "containers").len(), 1, "a family has its word");
    }
}
