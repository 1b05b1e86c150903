//! The generated blocks of template.yaml: functions with their roles, and the routes to them.

use std::collections::BTreeMap;

use registry::pascal;
use serde_json::{Value, json};
use service::{ChangeFilter, Family, Trigger, cors};

use crate::{
    fragments::{
        ADMIN, API_POLICY, API_POLICY_ARN, API_ROLE, DEFAULT_ROUTE, FAMILY, FROM_CHANGES,
        FROM_QUEUE, FROM_STREAM, FROM_STREAMS, FROM_TIMER, FUNCTION, INTEGRATION, KEYRING,
        LIVE_DEPLOYMENT, LIVE_ROUTE, LONGER, LOOP, MEMORY, METHOD, PAGE, RESERVED, ROLE, ROUTE,
        SECRETS, TIMER_ARN, TIMER_ROLE,
    },
    policy,
    project::{self, GATEWAY, Project, around},
};

pub(crate) const FILE: &str = "template.yaml";
const FUNCTIONS: (&str, &str) = ("# functions: begin", "# functions: end");
const ROUTES: (&str, &str) = ("# routes: begin", "# routes: end");
const LIVE: (&str, &str) = ("# live: begin", "# live: end");
const ROLES: (&str, &str) = ("# roles: begin", "# roles: end");
const CORS: (&str, &str) = ("# cors: begin", "# cors: end");

/// Number of function ARNs per managed policy.
const ARNS: usize = 40;

/// template.yaml with its expected generated blocks.
pub(crate) fn render(project: &Project) -> Result<String, String> {
    let text = project.read(FILE)?;
    let (before, after) = around(FILE, &text, ROUTES)?;
    let text = format!("{before}{}{after}", routes(project));
    let (before, after) = around(FILE, &text, LIVE)?;
    let text = format!("{before}{}{after}", live(project));
    let (before, after) = around(FILE, &text, ROLES)?;
    let text = format!("{before}{}{after}", roles(project));
    let (before, after) = around(FILE, &text, CORS)?;
    let text = format!("{before}{}{after}", cors());
    let (before, after) = around(FILE, &text, FUNCTIONS)?;
    Ok(format!("{before}{}{after}", functions(project)))
}

/// All families, by name, including that of the default route.
pub(crate) fn families(project: &Project) -> Vec<Family> {
    let mut families = project.families.clone();
    families.push(Family::new(GATEWAY, &[]));
    families.sort_by_key(|family| family.name);
    families
}

/// A function: its name, and its own settings.
pub(crate) type Functions = BTreeMap<String, String>;

pub(crate) fn functions_of(family: &Family) -> Functions {
    let operations = family.operations.iter().map(|route| {
        let admin = if route.spec.takes_admin_token() { ADMIN } else { "" };
        (route.spec.binary(), format!("{SECRETS}{KEYRING}{admin}"))
    });
    let workers = family.workers.iter().map(|worker| {
        let name = worker.binary();
        let own = match worker.trigger {
            Trigger::Queue(queue) => {
                let again = if registry::sends_to(family, queue) { LOOP } else { "" };
                let source = FROM_QUEUE.replace("_SOURCE_", &pascal(queue.name()));
                let concurrency = queue.max_concurrency().to_string();
                let source = source.replace("_CONCURRENCY_", &concurrency);
                let source = source.replace("_BATCH_", &queue.batch_size().to_string());
                let reserved = RESERVED.replace("_CONCURRENCY_", &concurrency);
                format!("{LONGER}{reserved}{again}{source}")
            }
            Trigger::Stream(tables) => {
                let sources = tables.iter().map(|it| FROM_STREAM.replace("_SOURCE_", it.name()));
                let reserved = RESERVED.replace("_CONCURRENCY_", "10");
                format!("{LONGER}{reserved}{FROM_STREAMS}{}", sources.collect::<String>())
            }
            Trigger::Changes(changes) => {
                let reserved = RESERVED.replace("_CONCURRENCY_", "10");
                let source = FROM_CHANGES.replace("_SOURCE_", changes.table.name());
                let begin = |it: &&str| json!({ "prefix": it });
                let pattern = |(begins, kinds): &ChangeFilter| {
                    let begins: Vec<Value> = begins.iter().map(begin).collect();
                    let keys = json!({ "Keys": { "SK": { "S": begins } } });
                    let pattern = json!({ "dynamodb": keys, "eventName": kinds });
                    format!("{{Pattern: '{pattern}'}}")
                };
                let patterns: Vec<String> = changes.filters.iter().map(pattern).collect();
                let source = source.replace("_PATTERNS_", &patterns.join(", "));
                format!("{LONGER}{reserved}{FROM_STREAMS}{source}")
            }
            Trigger::Operator(_) => LONGER.to_owned(),
            Trigger::EveryMinute => {
                let reserved = RESERVED.replace("_CONCURRENCY_", "2");
                reserved + &FROM_TIMER.replace("_NAME_", &name)
            }
        };
        let secrets =
            if worker.needs_keyring { [SECRETS, KEYRING].concat() } else { String::new() };
        (name, secrets + &own)
    });
    let pages = family.pages.iter().map(|page| (page.binary(), [SECRETS, KEYRING].concat()));
    let sockets =
        family.sockets.iter().map(|socket| (socket.binary(), [SECRETS, KEYRING].concat()));
    let unknown =
        (family.name == GATEWAY).then(|| (project::DEFAULT_ROUTE.to_owned(), String::new()));
    operations.chain(workers).chain(pages).chain(sockets).chain(unknown).collect()
}

/// The functions that the APIs call.
fn called(project: &Project) -> Vec<String> {
    let mut called: Vec<String> = project.specs().map(service::Spec::binary).collect();
    called.extend(project.pages().map(service::PageSpec::binary));
    called.extend(project.sockets().map(service::SocketSpec::binary));
    called.push(project::DEFAULT_ROUTE.to_owned());
    called.sort();
    called
}

/// The functions that the timer calls.
fn timed(project: &Project) -> Vec<String> {
    let timed = project.workers().filter(|worker| worker.trigger == Trigger::EveryMinute);
    timed.map(service::WorkerSpec::binary).collect()
}

fn functions(project: &Project) -> String {
    let arns = |fragment: &str, names: &[String]| {
        names.iter().map(|name| fragment.replace("_ID_", &pascal(name))).collect::<String>()
    };
    let mut out = String::from(API_ROLE);
    for (n, names) in called(project).chunks(ARNS).enumerate() {
        out += &API_POLICY.replace("_NUMBER_", &(n + 1).to_string());
        out += &arns(API_POLICY_ARN, names);
    }
    let timed = timed(project);
    if !timed.is_empty() {
        out += TIMER_ROLE;
        out += &arns(TIMER_ARN, &timed);
    }
    for family in families(project) {
        let id = pascal(family.name);
        out += &FAMILY.replace("_ID_", &id).replace("_NAME_", family.name);
        out += &policy::statements(&family);
        let megabytes = registry::megabytes(family.name);
        let memory = megabytes.map(|it| MEMORY.replace("_MEGABYTES_", &it.to_string()));
        let memory = memory.unwrap_or_default();
        for (name, own) in functions_of(&family) {
            let function = FUNCTION.replace("_ID_", &pascal(&name)).replace("_NAME_", &name);
            out += &function.replace("_FAMILY_", &id);
            out += &memory;
            out += &own;
        }
    }
    out
}

/// The CORS headers of API Gateway.
fn cors() -> String {
    let list = |name: &str, values: &[&str]| {
        let values: String =
            values.iter().map(|value| format!("          - \"{value}\"\n")).collect();
        format!("        {name}:\n{values}")
    };
    format!(
        "{}{}{}{}        MaxAge: {}\n",
        list("AllowOrigins", &["*"]),
        list("AllowMethods", &["POST"]),
        list("AllowHeaders", &cors::ALLOWED_HEADERS),
        list("ExposeHeaders", &cors::EXPOSED_HEADERS),
        cors::MAX_AGE,
    )
}

fn routes(project: &Project) -> String {
    let paths =
        project.specs().flat_map(|spec| spec.paths.iter().map(|path| (*path, spec.binary())));
    let paths: BTreeMap<&str, String> = paths.collect();
    let mut out = String::new();
    for (path, binary) in &paths {
        out += &ROUTE.replace("_PATH_", path);
        out += &INTEGRATION.replace("_ID_", &pascal(binary));
    }
    for page in project.pages() {
        out += &PAGE.replace("_PATH_", page.path);
        for method in service::PageSpec::METHODS {
            out += &METHOD.replace("_METHOD_", &method.to_ascii_lowercase());
            out += &INTEGRATION.replace("_ID_", &pascal(&page.binary()));
        }
    }
    let default = INTEGRATION.replace("_ID_", &pascal(project::DEFAULT_ROUTE));
    out + DEFAULT_ROUTE + &default
}

/// The routes of the WebSocket API.
fn live(project: &Project) -> String {
    let ids: Vec<String> = project.sockets().map(|socket| pascal(&socket.binary())).collect();
    let routes = project.sockets().zip(&ids);
    let routes = routes.map(|(it, id)| LIVE_ROUTE.replace("_ID_", id).replace("_KEY_", it.route));
    let routes: String = routes.collect();
    let names: Vec<String> = ids.iter().map(|id| format!("{id}Route")).collect();
    let deployment = LIVE_DEPLOYMENT.replace("_HASH_", &service::sha256_hex(&routes)[..8]);
    routes + &deployment.replace("_ROUTES_", &names.join(", "))
}

/// The roles of all families.
fn roles(project: &Project) -> String {
    let ids = families(project).into_iter().map(|family| pascal(family.name));
    ids.map(|id| ROLE.replace("_ID_", &id)).collect()
}
