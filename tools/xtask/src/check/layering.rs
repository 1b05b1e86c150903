//! Allowed dependencies between crates. Each crate has to be listed here.

use crate::project::{Package, Project};

/// Crates of this repository that a crate may depend on, from the bottom up.
const LAYERS: &[(&str, &[&str])] = &[
    ("shared/error", &[]),
    ("shared/marks", &[]),
    ("shared/keyring", &["error"]),
    ("shared/model", &["error", "marks"]),
    ("shared/envelope", &["error", "model"]),
    ("shared/aws", &["error"]),
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
        &[
            "embedded",
            "keyring",
            "model",
            "queue",
            "reference",
            "registry",
            "roundtable",
            "service",
            "simulator",
        ],
    ),
    ("tools/coverage", &["tests"]),
    ("bench", &["dialects", "embedded", "queue", "registry", "roundtable", "service", "tests"]),
];

/// All allowed dependencies of a crate of functions, internal and external.
const OF_FUNCTIONS: &[&str] = &["model", "schemars", "serde", "serde_json", "service"];

/// Exceptions, each with a reason: (crate, dependency).
const EXTRAS: &[(&str, &str)] = &[
    // It marks the anchors of threads in editors.
    ("comments", "editing"),
    // They decode editors.
    ("deliveries", "editing"),
    ("editors", "crdt"),
    ("editors", "editing"),
    ("live", "editing"),
    // It exchanges messages with editors.
    ("live", "dialects"),
    // It serves rooms, and is asked whether users listen to their notifications.
    ("live", "rooms"),
    ("notifications", "rooms"),
    // It sends mails when due.
    ("emails", "mail"),
    ("emails", "notification"),
    ("emails", "webhook"),
    // They schedule notifications.
    ("journal", "notification"),
    ("notifications", "notification"),
    // They take the steps of webhooks.
    ("deliveries", "webhook"),
    ("journal", "webhook"),
    // It stores endpoints.
    ("webhook-endpoints", "webhook"),
];

/// The one crate that may name an SDK or the Lambda runtime.
const SDK: &str = "shared/aws";
const SDK_PREFIXES: &[&str] = &["aws-", "aws_", "lambda_", "lambda-"];

/// One sentence for each forbidden dependency.
pub(crate) fn faults(project: &Project) -> Vec<String> {
    let ours: Vec<&str> = project.packages.iter().map(|package| package.name.as_str()).collect();
    let functions: Vec<&str> = project.functions().map(|package| package.name.as_str()).collect();
    let mut faults: Vec<String> =
        project.packages.iter().flat_map(|package| wrong(package, &ours, &functions)).collect();
    let unused = EXTRAS.iter().filter(|(name, extra)| {
        let package = project.package(name);
        !package.is_some_and(|package| package.dependencies.iter().any(|d| d.name == *extra))
    });
    faults.extend(
        unused.map(|(name, extra)| format!("{name} needs no {extra}; take it out of EXTRAS")),
    );
    faults
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
            return OF_FUNCTIONS.contains(&name) || EXTRAS.contains(&(package.name.as_str(), name));
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
    use super::{LAYERS, wrong};
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
    fn a_lower_layer_does_not_know_a_higher_one() {
        assert_eq!(faults("shared/store", &[("service", false)]), 1);
        assert_eq!(faults("tools/registry", &[("folders", false), ("service", false)]), 0);
        assert_eq!(faults("shared/new", &[]), 1);
    }
}
