//! The generated blocks of template.yaml: functions with their roles, and the routes to them.

mod fragments;
mod policy;

use std::collections::BTreeMap;

use registry::pascal;
use serde_json::{Value, json};
use service::{
    ChangeFilter, Changes, Family, PageSpec, Queue, SocketSpec, Spec, Trigger, WorkerSpec, cors,
};

use fragments::{
    ADMIN_TOKEN, API_POLICY, API_ROLE, CHANGES_METADATA, CHANGES_WORKER, CORS, DEFAULT_ROUTE,
    FAMILY, FUNCTION, INTEGRATION, LIVE_DEPLOYMENT, LIVE_ROUTE, MEMORY, OPERATOR_WORKER, PAGE,
    PAGE_METHOD, QUEUE_WORKER, RECURSIVE_LOOP, ROUTE, SECRETS, STREAM, STREAM_WORKER, TIMER_ROLE,
    TIMER_WORKER, indented, list,
};

use crate::project::{self, GATEWAY, Project, around};

pub(crate) const FILE: &str = "template.yaml";

/// Number of function ARNs per managed policy.
const ARNS: usize = 40;
/// The indentation of resources.
const RESOURCES: usize = 2;

/// template.yaml with its expected generated blocks.
pub(crate) fn render(project: &Project) -> Result<String, String> {
    let blocks = [
        ("cors", cors()?),
        ("routes", routes(project)?),
        ("live", live(project)?),
        ("roles", roles(project)),
        ("functions", functions(project)?),
    ];
    let mut text = project.read(FILE)?;
    for (name, block) in blocks {
        let marks = (format!("# {name}: begin"), format!("# {name}: end"));
        let (before, after) = around(FILE, &text, (&marks.0, &marks.1))?;
        let mark = before.lines().last().unwrap_or_default();
        let block = indented(&block, mark.len() - mark.trim_start().len());
        text = format!("{before}{block}{after}");
    }
    Ok(text)
}

/// All families, by name, including that of the default route.
pub(crate) fn families(project: &Project) -> Vec<Family> {
    let mut families = project.families.clone();
    families.push(Family::new(GATEWAY, &[]));
    families.sort_by_key(|family| family.name);
    families
}

/// The lines of a function that depend on what wakes it.
#[derive(Default)]
struct Settings {
    secrets: String,
    trigger: String,
    metadata: String,
}

/// The functions of a family, by name.
fn functions_of(family: &Family) -> Result<BTreeMap<String, Settings>, String> {
    let mut functions = BTreeMap::new();
    for route in &family.operations {
        let secrets = secrets(route.spec.takes_admin_token())?;
        functions.insert(route.spec.binary(), Settings { secrets, ..Settings::default() });
    }
    let pages = family.pages.iter().map(PageSpec::binary);
    for name in pages.chain(family.sockets.iter().map(SocketSpec::binary)) {
        functions.insert(name, Settings { secrets: secrets(false)?, ..Settings::default() });
    }
    for worker in &family.workers {
        functions.insert(worker.binary(), of_worker(family, worker)?);
    }
    if family.name == GATEWAY {
        functions.insert(project::DEFAULT_ROUTE.to_owned(), Settings::default());
    }
    Ok(functions)
}

fn secrets(is_admin: bool) -> Result<String, String> {
    let admin_token = if is_admin { ADMIN_TOKEN.fill(&[])? } else { String::new() };
    SECRETS.fill(&[("admin_token", &admin_token)])
}

fn of_worker(family: &Family, worker: &WorkerSpec) -> Result<Settings, String> {
    let secrets = if worker.needs_keyring { secrets(false)? } else { String::new() };
    let trigger = match worker.trigger {
        Trigger::Queue(queue) => of_queue(family, queue)?,
        Trigger::Stream(tables) => {
            let streams = tables.iter().map(|it| STREAM.fill(&[("table", it.name())]));
            let streams: String = streams.collect::<Result<_, _>>()?;
            STREAM_WORKER.fill(&[("streams", &streams)])?
        }
        Trigger::Changes(changes) => of_changes(&changes)?,
        Trigger::Operator(_) => OPERATOR_WORKER.fill(&[])?,
        Trigger::EveryMinute => TIMER_WORKER.fill(&[("name", &worker.binary())])?,
    };
    let metadata = match worker.trigger {
        Trigger::Changes(_) => CHANGES_METADATA.fill(&[])?,
        _ => String::new(),
    };
    Ok(Settings { secrets, trigger, metadata })
}

fn of_queue(family: &Family, queue: Queue) -> Result<String, String> {
    let sends_to_itself = registry::sends_to(family, queue);
    QUEUE_WORKER.fill(&[
        ("queue", &pascal(queue.name())),
        ("batch", &queue.batch_size().to_string()),
        ("concurrency", &queue.max_concurrency().to_string()),
        ("loop", &if sends_to_itself { RECURSIVE_LOOP.fill(&[])? } else { String::new() }),
    ])
}

fn of_changes(changes: &Changes) -> Result<String, String> {
    let begin = |it: &&str| json!({ "prefix": it });
    let pattern = |(begins, kinds): &ChangeFilter| {
        let begins: Vec<Value> = begins.iter().map(begin).collect();
        let keys = json!({ "Keys": { "SK": { "S": begins } } });
        let pattern = json!({ "dynamodb": keys, "eventName": kinds });
        format!("{{Pattern: '{pattern}'}}")
    };
    let patterns: Vec<String> = changes.filters.iter().map(pattern).collect();
    CHANGES_WORKER.fill(&[("table", changes.table.name()), ("patterns", &patterns.join(", "))])
}

/// The functions that the APIs call.
fn called(project: &Project) -> Vec<String> {
    let mut called: Vec<String> = project.specs().map(Spec::binary).collect();
    called.extend(project.pages().map(PageSpec::binary));
    called.extend(project.sockets().map(SocketSpec::binary));
    called.push(project::DEFAULT_ROUTE.to_owned());
    called.sort();
    called
}

/// The functions that the timer calls.
fn timed(project: &Project) -> Vec<String> {
    let timed = project.workers().filter(|worker| worker.trigger == Trigger::EveryMinute);
    timed.map(WorkerSpec::binary).collect()
}

fn functions(project: &Project) -> Result<String, String> {
    let arns = |names: &[String]| {
        list(names.iter().map(|name| format!("!GetAtt {}Function.Arn", pascal(name))))
    };
    let mut policies = String::new();
    for (n, names) in called(project).chunks(ARNS).enumerate() {
        let number = (n + 1).to_string();
        policies += &API_POLICY.fill(&[("number", &number), ("functions", &arns(names))])?;
    }
    let mut out = API_ROLE.fill(&[("policies", &policies)])?;
    let timed = timed(project);
    if !timed.is_empty() {
        out += &TIMER_ROLE.fill(&[("functions", &arns(&timed))])?;
    }
    for family in families(project) {
        out += &of_family(&family)?;
    }
    Ok(out)
}

fn of_family(family: &Family) -> Result<String, String> {
    let id = pascal(family.name);
    let memory = match registry::megabytes(family.name) {
        Some(megabytes) => MEMORY.fill(&[("megabytes", &megabytes.to_string())])?,
        None => String::new(),
    };
    let mut functions = String::new();
    for (name, own) in functions_of(family)? {
        functions += &FUNCTION.fill(&[
            ("id", &pascal(&name)),
            ("name", &name),
            ("family", &id),
            ("memory", &memory),
            ("secrets", &own.secrets),
            ("trigger", &own.trigger),
            ("metadata", &own.metadata),
        ])?;
    }
    FAMILY.fill(&[
        ("id", &id),
        ("name", family.name),
        ("statements", &policy::statements(family)?),
        ("functions", &functions),
    ])
}

/// The CORS headers of API Gateway.
fn cors() -> Result<String, String> {
    let quoted = |names: &[&str]| list(names.iter().map(|name| format!("\"{name}\"")));
    CORS.fill(&[
        ("allowed", &quoted(&cors::ALLOWED_HEADERS)),
        ("exposed", &quoted(&cors::EXPOSED_HEADERS)),
        ("max_age", &cors::MAX_AGE.to_string()),
    ])
}

fn routes(project: &Project) -> Result<String, String> {
    let integration = |name: &str| INTEGRATION.fill(&[("id", &pascal(name))]);
    let paths =
        project.specs().flat_map(|spec| spec.paths.iter().map(|path| (*path, spec.binary())));
    let paths: BTreeMap<&str, String> = paths.collect();
    let mut out = String::new();
    for (path, binary) in &paths {
        out += &ROUTE.fill(&[("path", path), ("integration", &integration(binary)?)])?;
    }
    for page in project.pages() {
        let integration = integration(&page.binary())?;
        let methods = PageSpec::METHODS.iter().map(|method| {
            let method = method.to_ascii_lowercase();
            PAGE_METHOD.fill(&[("method", &method), ("integration", &integration)])
        });
        let methods: String = methods.collect::<Result<_, _>>()?;
        out += &PAGE.fill(&[("path", page.path), ("methods", &methods)])?;
    }
    let integration = integration(project::DEFAULT_ROUTE)?;
    Ok(out + &DEFAULT_ROUTE.fill(&[("integration", &integration)])?)
}

/// The routes of the WebSocket API.
fn live(project: &Project) -> Result<String, String> {
    let ids: Vec<String> = project.sockets().map(|socket| pascal(&socket.binary())).collect();
    let routes = project.sockets().zip(&ids);
    let routes = routes.map(|(it, id)| LIVE_ROUTE.fill(&[("id", id), ("key", it.route)]));
    let routes: String = routes.collect::<Result<_, _>>()?;
    let names: Vec<String> = ids.iter().map(|id| format!("{id}Route")).collect();
    // Of the lines as they are in the template, so that their text alone changes the name.
    let hash = service::sha256_hex(&indented(&routes, RESOURCES));
    let deployment =
        LIVE_DEPLOYMENT.fill(&[("hash", &hash[..8]), ("routes", &names.join(", "))])?;
    Ok(routes + &deployment)
}

/// The roles of all families.
fn roles(project: &Project) -> String {
    list(families(project).iter().map(|family| format!("!Ref {}Role", pascal(family.name))))
}
