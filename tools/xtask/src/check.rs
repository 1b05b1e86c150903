//! Consistency that the compiler does not check: generated files, binaries, samples, tests.

mod bounds;
mod difference;
mod features;
mod layering;
mod operator;
mod sources;
mod structure;

use std::collections::BTreeSet;

use serde_json::Value;
use service::Trigger;

use difference::difference;

use crate::{
    binaries,
    generate::derived,
    licences,
    project::{DEFAULT_ROUTE, Package, Project},
    references::{self, interface},
};

/// Operations, workers and pages without a test. Nothing writes this file, and it may only shrink.
const UNCOVERED: &str = "tests/uncovered.txt";

/// An operation, a worker or a page, with its expected files.
struct Function<'a> {
    family: &'a str,
    name: &'a str,
    module: &'a str,
    binary: String,
    summary: &'a str,
    wakes: Wakes<'a>,
}

/// The payload of a function.
enum Wakes<'a> {
    Paths(&'a [&'a str]),
    Page(&'a str),
    Source(Trigger),
    Socket(&'a str),
}

/// One sentence for each fault.
pub(crate) fn faults(project: &Project) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for (name, wanted) in derived(project)? {
        let found = project.read_if_there(name)?.unwrap_or_default();
        faults.extend(difference(name, &found, &wanted));
    }
    faults.extend(interface::faults(project)?);
    faults.extend(operator::faults(project)?);
    faults.extend(bounds::faults(project)?);
    for function in functions(project) {
        faults.extend(function.faults(project)?);
    }
    faults.extend(coverage(project)?);
    faults.extend(unregistered(project));
    faults.extend(archives(project)?);
    faults.extend(binaries::faults(project)?);
    faults.extend(layering::faults(project));
    faults.extend(licences::faults(project)?);
    faults.extend(features::faults(project)?);
    faults.extend(sources::faults(project)?);
    faults.extend(references::faults(project)?);
    faults.extend(structure::faults(project)?);
    Ok(faults)
}

fn functions(project: &Project) -> Vec<Function<'_>> {
    let mut functions = Vec::new();
    for family in &project.families {
        let operations = family.operations.iter().map(|route| {
            let spec = &route.spec;
            (spec.name, spec.binary(), spec.summary, Wakes::Paths(spec.paths))
        });
        let workers = family.workers.iter().map(|worker| {
            (worker.name, worker.binary(), worker.summary, Wakes::Source(worker.trigger))
        });
        let pages = family
            .pages
            .iter()
            .map(|page| (page.name, page.binary(), page.summary, Wakes::Page(page.path)));
        let sockets = family.sockets.iter().map(|socket| {
            (socket.name, socket.binary(), socket.summary, Wakes::Socket(socket.route))
        });
        let all = operations.chain(workers).chain(pages).chain(sockets);
        for (name, binary, summary, wakes) in all {
            let module = name.split_once('.').map_or(name, |(_, module)| module);
            functions.push(Function { family: family.name, name, module, binary, summary, wakes });
        }
    }
    functions
}

impl Function<'_> {
    /// The file of its tests: one for each operation, and one for the workers of a family.
    fn test(&self) -> String {
        let family = self.family.replace('-', "_");
        match self.wakes {
            Wakes::Paths(_) | Wakes::Page(_) => format!("tests/it/{family}/{}.rs", self.module),
            Wakes::Source(_) | Wakes::Socket(_) => format!("tests/it/{family}.rs"),
        }
    }

    fn faults(&self, project: &Project) -> Result<Vec<String>, String> {
        let Self { name, binary, module, .. } = self;
        let mut faults = Vec::new();
        if self.summary.starts_with("todo") {
            faults.push(format!("{name}: has no summary in `src/lib.rs` yet"));
        }
        let path = format!("src/bin/{module}.rs");
        let package = project.package(self.family);
        let bins = package.iter().flat_map(|package| &package.binaries);
        match package.zip(bins.into_iter().find(|bin| bin.name == *binary)) {
            None => faults.push(format!("{name}: its Cargo.toml has no [[bin]] {binary}")),
            Some((package, bin)) => {
                if bin.path != path {
                    faults.push(format!("{name}: {binary} should be {path}, not {}", bin.path));
                }
                if bin.test {
                    faults.push(format!("{name}: {binary} wants `test = false` in its Cargo.toml"));
                }
                faults.extend(sources::wrong_entry(project, package, module, &path)?);
            }
        }
        faults.extend(self.sample(project));
        Ok(faults)
    }

    fn sample(&self, project: &Project) -> Option<String> {
        let (name, binary) = (self.name, &self.binary);
        let sample = match project.sample(binary) {
            Err(error) => return Some(format!("{name}: {error}")),
            Ok(None) => return Some(format!("{name}: has no sample events/{binary}.json")),
            Ok(Some(sample)) => sample,
        };
        let wrong = match &self.wakes {
            Wakes::Paths(paths) => wrong_call(&sample, paths),
            Wakes::Page(path) => wrong_visit(&sample, path),
            Wakes::Source(trigger) => wrong_event(&sample, *trigger),
            Wakes::Socket(route) => wrong_socket(&sample, route),
        };
        wrong.map(|wrong| format!("{name}: events/{binary}.json {wrong}"))
    }
}

/// Faults of the sample of a call.
fn wrong_call(sample: &Value, paths: &[&str]) -> Option<String> {
    let path = sample["rawPath"].as_str().unwrap_or_default();
    if !paths.contains(&path) {
        return Some(format!("has the rawPath {path:?}, which is none of its paths"));
    }
    let key = format!("POST {path}");
    if sample["routeKey"] != *key || sample["requestContext"]["routeKey"] != *key {
        return Some(format!("wants the routeKey {key:?}, in requestContext, too"));
    }
    let body = sample["body"].as_str().unwrap_or_default();
    let json = body.is_empty() || serde_json::from_str::<Value>(body).is_ok();
    (!json).then(|| "has a body that is no JSON".to_owned())
}

/// Faults of the sample of a page visit.
fn wrong_visit(sample: &Value, path: &str) -> Option<String> {
    let start = path.trim_end_matches("{token}");
    let opened = sample["rawPath"].as_str().unwrap_or_default();
    if !opened.starts_with(start) || opened == start {
        return Some(format!("has the rawPath {opened:?}, which is none of {path}"));
    }
    let key = format!("GET {path}");
    let wrong = sample["routeKey"] != *key || sample["requestContext"]["routeKey"] != *key;
    wrong.then(|| format!("wants the routeKey {key:?}, in requestContext, too"))
}

/// Faults of the sample of a connection event.
fn wrong_socket(sample: &Value, route: &str) -> Option<String> {
    let kind = match route {
        "$connect" => "CONNECT",
        "$disconnect" => "DISCONNECT",
        _ => "MESSAGE",
    };
    let context = &sample["requestContext"];
    let is_right = context["routeKey"] == *route
        && context["eventType"] == *kind
        && context["connectionId"].is_string();
    (!is_right).then(|| {
        format!("wants the routeKey {route:?}, the eventType {kind:?} and a connectionId in requestContext")
    })
}

/// Faults of the sample of an event.
fn wrong_event(sample: &Value, trigger: Trigger) -> Option<String> {
    let record = &sample["Records"][0];
    let (source, found) = match trigger {
        Trigger::Queue(_) => ("aws:sqs", &record["eventSource"]),
        Trigger::Stream(_) | Trigger::Changes(..) => ("aws:dynamodb", &record["eventSource"]),
        Trigger::EveryMinute => ("aws.scheduler", &sample["source"]),
        Trigger::Operator(_) => {
            let is_order = sample["since"].is_u64();
            return (!is_order).then(|| "is no order: it has no `since`".to_owned());
        }
    };
    if found != source {
        return Some(format!("comes from {found}, not from {source:?}"));
    }
    let named = record["eventSourceARN"].as_str().unwrap_or_default();
    let wanted = match trigger {
        Trigger::Queue(queue) => queue.name().to_owned(),
        Trigger::Stream(tables) => format!("{}/stream/", tables.first()?.name()),
        Trigger::Changes(changes) => format!("{}/stream/", changes.table.name()),
        Trigger::EveryMinute | Trigger::Operator(_) => return None,
    };
    (!named.contains(&wanted)).then(|| format!("has an eventSourceARN without {wanted:?}"))
}

/// Checks that every function has a test, or an exception.
fn coverage(project: &Project) -> Result<Vec<String>, String> {
    let listed = project.read_if_there(UNCOVERED)?.unwrap_or_default();
    let lines =
        listed.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut excused: BTreeSet<&str> = lines.collect();
    let mut faults = Vec::new();
    for function in functions(project) {
        let (name, test) = (function.name, function.test());
        match (excused.remove(name), project.has(&test)) {
            (true, true) => faults.push(format!("{UNCOVERED}: {name} has a test; take it out")),
            (false, false) => faults.push(format!("{name}: has no test {test}")),
            _ => {}
        }
    }
    faults
        .extend(excused.iter().map(|name| format!("{UNCOVERED}: there is no {name}; take it out")));
    Ok(faults)
}

/// Checks that every binary is a function.
fn unregistered(project: &Project) -> Vec<String> {
    let known: BTreeSet<String> = functions(project).into_iter().map(|f| f.binary).collect();
    let of = |package: &Package| {
        let unknown = package.binaries.iter().map(|binary| binary.name.clone());
        let unknown = unknown.filter(|name| name != DEFAULT_ROUTE && !known.contains(name));
        let dir = package.dir.clone();
        unknown
            .map(move |name| {
                format!("{dir}: {name} is neither operation, worker, page nor socket function")
            })
            .collect()
    };
    let mut faults: Vec<String> =
        project.functions().flat_map(|p| -> Vec<String> { of(p) }).collect();
    let registered: BTreeSet<&str> = project.families.iter().map(|family| family.name).collect();
    let missing = project.functions().filter(|package| {
        package.name != crate::project::GATEWAY && !registered.contains(package.name.as_str())
    });
    faults.extend(missing.map(|package| format!("{}: is not in tools/registry", package.dir)));
    faults
}

/// Checks that the binary of each family serves all its functions.
fn archives(project: &Project) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for family in &project.families {
        let Some(package) = project.package(family.name) else { continue };
        let (file, name) = (format!("{}/src/main.rs", package.dir), family.name.replace('-', "_"));
        let text = project.read_if_there(&file)?.unwrap_or_default();
        let lists = [
            ("OPERATIONS", family.operations.is_empty()),
            ("WORKERS", family.workers.is_empty()),
            ("PAGES", family.pages.is_empty()),
            ("SOCKETS", family.sockets.is_empty()),
        ];
        let missing = lists
            .iter()
            .filter(|(list, is_empty)| !is_empty && !text.contains(&format!("{name}::{list}")));
        faults.extend(missing.map(|(list, _)| format!("{file}: does not serve {name}::{list}")));
        if package.archive.as_deref() != Some(family.name) {
            faults.push(format!("{}: its Cargo.toml has no [[bin]] {}", package.dir, family.name));
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use service::{Queue, Table, Trigger};

    use super::{wrong_call, wrong_event, wrong_socket};

    #[test]
    fn a_sample_of_a_call_names_a_path_of_the_operation() {
        let sample = |path: &str, body: &str| {
            let key = format!("POST {path}");
            json!({ "rawPath": path, "routeKey": key, "body": body,
                "requestContext": { "routeKey": key } })
        };
        let paths = ["/v2/a", "/v1/a"];
        assert_eq!(wrong_call(&sample("/v1/a", "{}"), &paths), None);
        assert!(wrong_call(&sample("/v2/b", "{}"), &paths).is_some());
        assert!(wrong_call(&sample("/v2/a", "{"), &paths).is_some());
        assert!(wrong_call(&json!({ "rawPath": "/v2/a" }), &paths).is_some());
    }

    #[test]
    fn a_sample_of_a_connection_is_of_its_route() {
        let sample = |kind: &str| {
            let context =
                json!({ "routeKey": "$connect", "eventType": kind, "connectionId": "x=" });
            json!({ "requestContext": context })
        };
        assert_eq!(wrong_socket(&sample("CONNECT"), "$connect"), None);
        assert!(wrong_socket(&sample("CONNECT"), "$default").is_some());
        assert!(wrong_socket(&sample("MESSAGE"), "$connect").is_some());
    }

    #[test]
    fn a_sample_of_an_event_comes_from_its_source() {
        let sample = |source: &str, arn: &str| json!({ "Records": [{ "eventSource": source, "eventSourceARN": arn }] });
        let (queue, stream) = (Trigger::Queue(Queue::Cleanup), Trigger::Stream(&[Table::Crdt]));
        assert_eq!(wrong_event(&sample("aws:sqs", "arn:x-cleanup"), queue), None);
        assert!(wrong_event(&sample("aws:sqs", "arn:x-other"), queue).is_some());
        assert!(wrong_event(&sample("aws:dynamodb", "arn:x-cleanup"), queue).is_some());
        let arn = "arn:table/x-Crdt/stream/2026";
        assert_eq!(wrong_event(&sample("aws:dynamodb", arn), stream), None);
        assert_eq!(wrong_event(&json!({ "source": "aws.scheduler" }), Trigger::EveryMinute), None);
    }
}
