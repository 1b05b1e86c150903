//! All families of functions: the list of operations and workers for tools and tests. A new family
//! is added here once; its operations and its rights are listed in its own crate.

mod access;
mod names;
mod policy;

pub use access::{every_right, file, single_rights};
pub use names::pascal;
pub use policy::{Resource, Statement, granted_by, policy, sends_to};
use service::Family;

/// The memory size of the functions of a family, if it is not the default; `cargo run -p bench
/// --bin memory` prints the usage.
pub fn megabytes(family: &str) -> Option<u32> {
    match family {
        // An editor of maximum size takes 170 MB when it is read; a batch reads several.
        "editors" | "deliveries" | "live" => Some(1024),
        // Ten concurrent messages, each with its threads; or a page of threads.
        "comments" | "emails" | "notifications" | "user-data" => Some(512),
        _ => None,
    }
}

/// All families, by name.
pub fn families() -> Vec<Family> {
    vec![
        Family::new("activities", activities::ACCESS).with_operations(activities::operations()),
        Family::new("agents", agents::ACCESS).with_operations(agents::operations()),
        Family::new("cleanup", cleanup::ACCESS).with_workers(cleanup::workers()),
        Family::new("comments", comments::ACCESS).with_operations(comments::operations()),
        Family::new("configuration", configuration::ACCESS)
            .with_operations(configuration::operations()),
        Family::new("deliveries", deliveries::ACCESS)
            .with_operations(deliveries::operations())
            .with_workers(deliveries::workers()),
        Family::new("documents", documents::ACCESS).with_operations(documents::operations()),
        Family::new("editors", editors::ACCESS)
            .with_operations(editors::operations())
            .with_workers(editors::workers()),
        Family::new("emails", emails::ACCESS)
            .with_workers(emails::workers())
            .with_pages(emails::pages()),
        Family::new("folders", folders::ACCESS).with_operations(folders::operations()),
        Family::new("journal", journal::ACCESS).with_workers(journal::workers()),
        Family::new("live", live::ACCESS)
            .with_workers(live::workers())
            .with_sockets(live::sockets()),
        Family::new("live-state", live_state::ACCESS).with_operations(live_state::operations()),
        Family::new("notifications", notifications::ACCESS)
            .with_operations(notifications::operations())
            .with_workers(notifications::workers()),
        Family::new("operator", operator::ACCESS)
            .with_operations(operator::operations())
            .with_workers(operator::workers()),
        Family::new("organizations", organizations::ACCESS)
            .with_operations(organizations::operations()),
        Family::new("permissions", permissions::ACCESS).with_operations(permissions::operations()),
        Family::new("presence", presence::ACCESS).with_operations(presence::operations()),
        Family::new("recordings", recordings::ACCESS).with_operations(recordings::operations()),
        Family::new("schedule", schedule::ACCESS)
            .with_operations(schedule::operations())
            .with_workers(schedule::workers()),
        Family::new("user-data", user_data::ACCESS)
            .with_operations(user_data::operations())
            .with_workers(user_data::workers()),
        Family::new("user-groups", user_groups::ACCESS).with_operations(user_groups::operations()),
        Family::new("users", users::ACCESS).with_operations(users::operations()),
        Family::new("webhook-endpoints", webhook_endpoints::ACCESS)
            .with_operations(webhook_endpoints::operations()),
        Family::new("workspace", workspace::ACCESS).with_operations(workspace::operations()),
    ]
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

    /// `/v2/auth/generate_token`: a version, then words of small letters.
    fn is_path(path: &str) -> bool {
        let mut segments = path.split('/');
        segments.next() == Some("")
            && matches!(segments.next(), Some("v1" | "v2"))
            && segments.clone().next().is_some()
            && segments.all(|word| {
                !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
            })
    }

    #[test]
    fn a_path_has_a_version_and_words() {
        assert!(is_path("/v2/auth/generate_token") && is_path("/v1/x"));
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
}
