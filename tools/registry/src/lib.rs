//! Every family of functions: where tools and tests find all operations and workers, and what each
//! family may do. A family is added here once; its operations list themselves.

use service::{
    Access::{self, Table},
    Family, Table as Stored,
    Verb::{BatchGetItem, ConditionCheckItem, DeleteItem, GetItem, PutItem, Query},
};

/// Every family, by name. `access` is what its handlers make the store do; admission, which every
/// operation of an API key or a workspace starts with, is the `GetItem`.
pub fn families() -> Vec<Family> {
    let family = |name, operations, workers| Family { name, operations, workers, access: &[] };
    vec![
        family("cleanup", vec![], cleanup::workers()),
        family("documents", documents::operations(), vec![]),
        family("fan-out", vec![], fan_out::workers()),
        folders(),
        family("organizations", organizations::operations(), vec![]),
        family("permissions", permissions::operations(), vec![]),
        family("schedule", vec![], schedule::workers()),
        family("user-groups", user_groups::operations(), vec![]),
        family("users", users::operations(), vec![]),
        family("workspace", workspace::operations(), vec![]),
    ]
}

/// Writing an event beside a change.
const OUTBOX: Access = Table(Stored::Events, &[PutItem]);

fn folders() -> Family {
    Family {
        name: "folders",
        operations: folders::operations(),
        workers: vec![],
        access: &[
            Table(
                Stored::Resources,
                &[BatchGetItem, ConditionCheckItem, DeleteItem, GetItem, PutItem, Query],
            ),
            OUTBOX,
        ],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use service::Spec;

    use super::families;

    fn specs() -> Vec<Spec> {
        families()
            .into_iter()
            .flat_map(|family| family.operations)
            .map(|route| route.spec)
            .collect()
    }

    /// `/v2/folders/get`: a version, then words of small letters.
    fn is_path(path: &str) -> bool {
        let mut segments = path.split('/');
        segments.next() == Some("")
            && matches!(segments.next(), Some("v1" | "v2"))
            && segments.clone().next().is_some()
            && segments.all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase()))
    }

    #[test]
    fn a_path_has_a_version_and_words() {
        assert!(is_path("/v2/folders/get") && is_path("/v1/x"));
        for path in ["/v3/x", "/v2", "/v2/", "/v2/x/", "v2/x", "/v2/a-b", "/v2/A", "/v2//x", ""] {
            assert!(!is_path(path), "{path}");
        }
    }

    #[test]
    fn every_name_is_its_own_and_begins_with_its_family() {
        let mut binaries = BTreeSet::new();
        for family in families() {
            let operations = family.operations.iter().map(|route| route.spec.name);
            for name in operations.chain(family.workers.iter().map(|worker| worker.name)) {
                let module = name.strip_prefix(family.name).and_then(|rest| rest.strip_prefix('.'));
                assert!(module.is_some_and(|module| !module.is_empty()), "{name}");
                assert!(binaries.insert(name.replace(['.', '_'], "-")), "{name}");
            }
        }
    }

    #[test]
    fn families_are_listed_by_name_and_once() {
        let names: Vec<&str> = families().iter().map(|family| family.name).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    }

    #[test]
    fn every_path_is_well_formed_and_belongs_to_one_operation() {
        let mut paths = BTreeSet::new();
        for spec in specs() {
            assert!(!spec.paths.is_empty(), "{}", spec.name);
            for path in spec.paths {
                assert!(is_path(path), "{path}");
                assert!(paths.insert(*path), "{path} leads to two operations");
            }
        }
    }

    #[test]
    fn newer_paths_come_first() {
        for spec in specs() {
            let versions: Vec<&str> = spec.paths.iter().map(|path| &path[..3]).collect();
            assert!(versions.is_sorted_by(|a, b| a >= b), "{:?}", spec.paths);
        }
    }

    #[test]
    fn the_same_words_have_the_same_level_in_both_versions() {
        let mut levels = BTreeMap::new();
        for spec in specs() {
            for path in spec.paths {
                assert_eq!(*levels.entry(&path[3..]).or_insert(spec.level), spec.level, "{path}");
            }
        }
    }

    #[test]
    fn every_summary_is_a_sentence() {
        for spec in specs() {
            assert!(spec.summary.ends_with('.') && spec.summary.len() < 120, "{}", spec.name);
        }
    }

    #[test]
    fn access_names_each_table_once_and_its_verbs_in_order() {
        for family in families() {
            let mut seen = BTreeSet::new();
            for access in family.access {
                let service::Access::Table(table, verbs) = access else { continue };
                assert!(seen.insert(*table), "{}: {table:?} twice", family.name);
                assert!(verbs.is_sorted_by(|a, b| a < b), "{}: {verbs:?}", family.name);
            }
        }
    }
}
