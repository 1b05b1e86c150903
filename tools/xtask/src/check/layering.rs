//! Allowed dependencies between crates. Each crate has to be listed here.

use crate::project::{Package, Project};

/// Crates of this repository that a crate may depend on, from the bottom up.
const LAYERS: &[(&str, &[&str])] = &[
    ("shared/error", &[]),
    ("shared/marks", &[]),
    ("shared/keyring", &["error"]),
    ("shared/model", &["marks"]),
    ("shared/envelope", &["error", "model"]),
    ("shared/aws", &[]),
    ("shared/crdt", &["error", "model"]),
    ("shared/notification", &["error", "model"]),
    ("shared/dialects", &["model"]),
    ("shared/mail", &["keyring", "model", "notification"]),
    ("shared/tenancy", &["aws", "error", "keyring", "model"]),
    // Only these depend on tenancy: whoever does reaches the tables of a scope.
    ("shared/store", &["aws", "error", "keyring", "model", "notification", "tenancy"]),
    ("shared/webhook", &["aws", "error", "keyring", "model", "store", "tenancy"]),
    ("shared/queue", &["aws", "error"]),
    ("shared/rooms", &["aws", "error", "model", "queue", "store", "tenancy"]),
    ("shared/editing", &["crdt", "error", "keyring", "model", "rooms", "store"]),
    ("shared/auth", &["aws", "error", "model", "store"]),
    (
        "shared/service",
        &[
            "auth",
            "aws",
            "envelope",
            "error",
            "keyring",
            "model",
            "notification",
            "queue",
            "rooms",
            "store",
            "webhook",
        ],
    ),
    ("tools/conformance", &["model", "notification"]),
    ("server/embedded", &[]),
    ("tools/markdown", &[]),
    ("tools/registry", &["service"]),
    ("tools/openapi", &["registry", "service"]),
    ("tools/simulator", &[]),
    ("tools/reference", &["simulator"]),
    (
        "server/roundtable",
        &[
            "crdt", "dialects", "editing", "embedded", "keyring", "markdown", "queue", "registry",
            "service",
        ],
    ),
    ("tools/xtask", &["markdown", "openapi", "registry", "roundtable", "service"]),
    (
        "tests",
        &["embedded", "queue", "reference", "registry", "roundtable", "service", "simulator"],
    ),
    ("tools/coverage", &["registry", "roundtable", "service", "tests"]),
    ("bench", &["embedded", "queue", "registry", "roundtable", "service", "tests"]),
];

/// All allowed dependencies of a crate of functions, internal and external.
const OF_FUNCTIONS: &[&str] = &["model", "schemars", "serde", "serde_json", "service"];

/// Further dependencies of crates of functions, and why: (crate, dependency, reason). May only
/// shrink for a crate that is there.
const EXTRAS: &[(&str, &str, &str)] = &[
    ("comments", "editing", "marks the anchors of threads in editors"),
    ("deliveries", "editing", "decodes editors for webhooks"),
    ("deliveries", "webhook", "takes the steps of webhooks"),
    ("editors", "crdt", "decodes editors"),
    ("editors", "editing", "reads and updates editors, as the live channel does"),
    ("emails", "mail", "makes mails when they are due"),
    ("emails", "notification", "knows the rows that mails are due by"),
    ("emails", "webhook", "sends through the HTTP client of webhooks"),
    ("journal", "notification", "schedules notifications of events"),
    ("journal", "webhook", "passes events on to webhooks"),
    ("live", "dialects", "exchanges messages with editors"),
    ("live", "editing", "updates editors"),
    ("live", "rooms", "serves rooms"),
    ("notifications", "notification", "schedules notifications"),
    ("notifications", "rooms", "asks whether users listen to their notifications"),
    ("webhook-endpoints", "webhook", "stores endpoints"),
];

/// The one crate that may name an SDK or the Lambda runtime.
const SDK: &str = "shared/aws";
const SDK_PREFIXES: &[&str] = &["aws-", "aws_", "lambda_", "lambda-"];

/// One sentence for each forbidden dependency, and for each permission that nobody needs.
pub(crate) fn faults(project: &Project) -> Vec<String> {
    let ours: Vec<&str> = project.packages.iter().map(|package| package.name.as_str()).collect();
    let functions: Vec<&str> = project.functions().map(|package| package.name.as_str()).collect();
    let mut faults: Vec<String> =
        project.packages.iter().flat_map(|package| wrong(package, &ours, &functions)).collect();
    let package = |dir: &str| project.packages.iter().find(|package| package.dir == dir);
    for (dir, allowed) in LAYERS {
        faults.extend(needless(package(dir), dir, allowed, "LAYERS"));
    }
    for (name, extra, _) in EXTRAS {
        let dir = format!("functions/{name}");
        faults.extend(needless(package(&dir), &dir, &[extra], "EXTRAS"));
    }
    faults
}

/// Permissions in a list that a crate does not need, or of a crate that is gone.
fn needless(package: Option<&Package>, dir: &str, allowed: &[&str], list: &str) -> Vec<String> {
    let Some(package) = package else {
        return vec![format!("{dir}: does not exist; take it out of {list}")];
    };
    let needed = |name: &&&str| package.dependencies.iter().any(|it| !it.dev && it.name == **name);
    let others = allowed.iter().filter(|name| !needed(name));
    others.map(|name| format!("{dir}: needs no {name}; take it out of {list}")).collect()
}

fn wrong(package: &Package, ours: &[&str], functions: &[&str]) -> Vec<String> {
    let dir = package.dir.as_str();
    let of_functions = dir.starts_with("functions/");
    let layer = LAYERS.iter().find(|(name, _)| *name == dir).map(|(_, allowed)| *allowed);
    if layer.is_none() && !of_functions {
        return vec![format!("{dir}: has no layer; see tools/xtask/src/check/layering.rs")];
    }
    let is_allowed = |name: &str| {
        if of_functions {
            return OF_FUNCTIONS.contains(&name)
                || EXTRAS.iter().any(|(of, extra, _)| (*of, *extra) == (&package.name, name));
        }
        let below = layer.is_some_and(|allowed| allowed.contains(&name));
        below || !ours.contains(&name) || (dir == "tools/registry" && functions.contains(&name))
    };
    let mut faults = Vec::new();
    for dependency in package.dependencies.iter().filter(|dependency| !dependency.dev) {
        let name = dependency.name.as_str();
        if !is_allowed(name) {
            faults.push(format!("{dir}: may not depend on {name}"));
        } else if dir != SDK
            && !ours.contains(&name)
            && SDK_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        {
            faults.push(format!("{dir}: names {name}, which only {SDK} may"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::{LAYERS, needless, wrong};
    use crate::project::{Dependency, Package};

    fn package(dir: &str, dependencies: &[(&str, bool)]) -> Package {
        let dependency =
            |(name, dev): &(&str, bool)| Dependency { name: (*name).to_owned(), dev: *dev };
        Package {
            name: dir.rsplit('/').next().unwrap_or_default().to_owned(),
            dir: dir.to_owned(),
            dependencies: dependencies.iter().map(dependency).collect(),
            binaries: vec![],
            tests_library: None,
            archive: None,
            license: String::new(),
        }
    }

    fn faults(dir: &str, dependencies: &[(&str, bool)]) -> usize {
        let ours = ["error", "aws", "store", "service", "model", "folders", "users", "embedded"];
        wrong(&package(dir, dependencies), &ours, &["folders", "users"]).len()
    }

    #[test]
    fn layers_are_listed_from_the_bottom_up() {
        let mut below = vec![];
        for (dir, allowed) in LAYERS {
            let higher: Vec<_> = allowed.iter().filter(|name| !below.contains(*name)).collect();
            assert!(higher.is_empty(), "{dir}: {higher:?}");
            below.push(dir.rsplit('/').next().unwrap_or_default());
        }
    }

    #[test]
    fn functions_know_neither_each_other_nor_the_store() {
        assert_eq!(faults("functions/folders", &[("service", false), ("serde", false)]), 0);
        assert_eq!(faults("functions/folders", &[("users", false), ("store", false)]), 2);
        assert_eq!(faults("functions/folders", &[("ulid", false)]), 1);
    }

    #[test]
    fn only_one_crate_names_an_sdk_except_in_tests() {
        assert_eq!(faults("shared/aws", &[("aws-sdk-sqs", false), ("lambda_http", false)]), 0);
        assert_eq!(faults("shared/store", &[("aws-sdk-sqs", false), ("lambda_http", false)]), 2);
        assert_eq!(faults("shared/store", &[("aws", false)]), 0);
        assert_eq!(faults("server/embedded", &[("aws-sdk-sqs", true)]), 0);
    }

    #[test]
    fn a_permission_that_nobody_needs_is_taken_out() {
        let package = package("shared/store", &[("aws", false), ("model", true)]);
        let needless = |allowed: &[&str]| needless(Some(&package), "shared/store", allowed, "X");
        assert!(needless(&["aws"]).is_empty());
        assert_eq!(needless(&["aws", "model"]), ["shared/store: needs no model; take it out of X"]);
        assert_eq!(super::needless(None, "shared/gone", &[], "X").len(), 1);
    }

    #[test]
    fn a_lower_layer_does_not_know_a_higher_one() {
        assert_eq!(faults("shared/store", &[("service", false)]), 1);
        assert_eq!(faults("tools/registry", &[("folders", false), ("service", false)]), 0);
        assert_eq!(faults("shared/new", &[]), 1);
    }
}
