//! The tables and queues of the local stack match the template.

use std::collections::{BTreeMap, BTreeSet};

use embedded::EmbeddedServices;
use roundtable::{PREFIX, dead_letters_name, queue_name, table_name};
use serde_json::{Value, json};
use service::{Queue, Table, Trigger};

use crate::app::App;

/// The resources of a type in the template, by name, each as the lines of its block.
fn resources(kind: &str) -> BTreeMap<String, Vec<String>> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../template.yaml");
    let text = std::fs::read_to_string(file).expect("the template");
    let (_, resources) = text.split_once("\nResources:\n").expect("resources");
    let mut blocks: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut name = String::new();
    for line in resources.lines() {
        let code = line.split(" #").next().unwrap_or_default().trim_end();
        if code.trim_start().is_empty() || code.trim_start().starts_with('#') {
            continue;
        }
        match code.len() - code.trim_start().len() {
            0 => break,
            2 => name = code.trim().trim_end_matches(':').to_owned(),
            _ => blocks.entry(name.clone()).or_default().push(code.to_owned()),
        }
    }
    let own = format!("    Type: {kind}");
    blocks.retain(|_, lines| lines.contains(&own));
    assert!(!blocks.is_empty(), "{kind}");
    blocks
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The one value of a key in a block, at whatever depth.
fn fact(block: &[String], key: &str) -> String {
    find(block, key).unwrap_or_else(|| panic!("there is no {key} in {block:#?}"))
}

fn find(block: &[String], key: &str) -> Option<String> {
    let start = format!("{key}: ");
    let mut found = block
        .iter()
        .filter_map(|line| line.trim_start().trim_start_matches("- ").strip_prefix(&start));
    let value = found.next()?;
    assert_eq!(found.next(), None, "{key} twice in {block:#?}");
    Some(value.to_owned())
}

/// The lines below a key of the properties: those with more indentation.
fn below(block: &[String], key: &str) -> Vec<String> {
    let own = format!("      {key}:");
    let at = block.iter().position(|line| *line == own);
    let Some(at) = at else {
        assert!(!block.iter().any(|line| line.starts_with(&own)), "{key} is written otherwise");
        return vec![];
    };
    block[at + 1..].iter().take_while(|line| indent(line) > 6).cloned().collect()
}

/// `{AttributeName: PK, KeyType: HASH}` as its values.
fn pairs(lines: &[String], second: &str) -> Vec<(String, String)> {
    let pair = |line: &String| {
        let inner = line.trim().strip_prefix("- {AttributeName: ")?.strip_suffix('}')?;
        let (name, value) = inner.split_once(&format!(", {second}: "))?;
        Some((name.to_owned(), value.to_owned()))
    };
    lines.iter().map(|line| pair(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

fn described_pairs(value: &Value, second: &str) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{value}")).to_owned();
    let pair = |pair: &Value| (text(&pair["AttributeName"]), text(&pair[second]));
    value.as_array().expect("pairs").iter().map(pair).collect()
}

/// The name of a resource with the local prefix.
fn full_name(block: &[String], key: &str) -> String {
    let name = fact(block, key);
    let own = name.strip_prefix("!Sub ${AWS::StackName}-");
    format!("{PREFIX}{}", own.unwrap_or_else(|| panic!("{name} has another prefix")))
}

async fn dynamodb(app: &App, operation: &str, request: Value) -> Value {
    let sent = reqwest::Client::new()
        .post(app.stack().aws_endpoint().expect("a port"))
        .header("x-amz-target", format!("DynamoDB_20120810.{operation}"))
        .body(request.to_string())
        .send();
    let reply = sent.await.unwrap().error_for_status().unwrap().text().await.unwrap();
    serde_json::from_str(&reply).unwrap()
}

#[tokio::test]
async fn the_embedded_aws_refuses_requests_for_other_hosts() {
    let app = App::start().await;
    let port = app.stack().aws_endpoint().expect("a port").rsplit_once(':').unwrap().1;
    for (host, status) in [
        (format!("127.0.0.1:{port}"), 200),
        (format!("localhost:{port}"), 200),
        (app.stack().variables().expect("a port")["AWS_ENDPOINT_URL"].replace("http://", ""), 200),
        (format!("[::1]:{port}"), 200),
        (format!("rebound.example.com:{port}"), 403),
        ("127.0.0.1.example.com".to_owned(), 403),
        (format!("192.168.0.1:{port}"), 403),
    ] {
        let sent = reqwest::Client::new()
            .post(app.stack().aws_endpoint().expect("a port"))
            .header("x-amz-target", "DynamoDB_20120810.ListTables")
            .header("host", &host)
            .body("{}")
            .send();
        assert_eq!(sent.await.unwrap().status(), status, "{host}");
    }
}

#[tokio::test]
async fn the_service_is_ready_until_it_shuts_down() {
    let app = App::start().await;
    let ready = || async {
        let reply = reqwest::get(format!("{}/ready", app.base)).await.unwrap();
        (
            reply.status().as_u16(),
            serde_json::from_str::<Value>(&reply.text().await.unwrap()).unwrap(),
        )
    };
    assert_eq!(ready().await, (200, json!({ "status": "ready" })));
    app.stack().end_work().await;
    let reason = json!({ "status": "not ready", "reason": "The service is ending." });
    assert_eq!(ready().await, (503, reason));
}

#[tokio::test]
async fn tables_are_those_of_the_template() {
    let app = App::start().await;
    let templates: BTreeMap<String, Vec<String>> = resources("AWS::DynamoDB::Table")
        .into_values()
        .map(|block| (full_name(&block, "TableName"), block))
        .collect();
    let listed = dynamodb(&app, "ListTables", json!({})).await;
    let listed = listed["TableNames"].as_array().unwrap().iter();
    let listed: BTreeSet<String> = listed.map(|name| name.as_str().unwrap().to_owned()).collect();
    assert_eq!(listed, templates.keys().cloned().collect());
    assert_eq!(listed, Table::ALL.into_iter().map(table_name).collect());

    for (name, block) in &templates {
        let table = dynamodb(&app, "DescribeTable", json!({ "TableName": name })).await;
        let table = &table["Table"];
        let keys = pairs(&below(block, "KeySchema"), "KeyType");
        assert_eq!(keys.len(), 2, "{name}");
        assert_eq!(described_pairs(&table["KeySchema"], "KeyType"), keys, "{name}");
        let attributes = pairs(&below(block, "AttributeDefinitions"), "AttributeType").into_iter();
        let attributes: BTreeSet<_> =
            attributes.filter(|(name, _)| name != INDEX_OF_THE_CLOUD_ALONE).collect();
        let described = described_pairs(&table["AttributeDefinitions"], "AttributeType");
        assert_eq!(described.into_iter().collect::<BTreeSet<_>>(), attributes, "{name}");

        let indexes = below(block, "GlobalSecondaryIndexes");
        let described = table["GlobalSecondaryIndexes"].as_array().cloned().unwrap_or_default();
        let count = indexes.iter().filter(|line| line.contains("- IndexName: ")).count();
        assert_eq!(described.len(), count, "{name}");
        assert_eq!(count == 0, indexes.is_empty(), "{name}: {indexes:?}");
        for (n, index) in described.iter().enumerate() {
            let starts = |line: &&String| line.contains("- IndexName: ");
            let mut nth = indexes.iter().enumerate().filter(|(_, line)| starts(line));
            let from = nth.nth(n).map_or(0, |(at, _)| at);
            let len = indexes[from + 1..].iter().take_while(|line| !starts(line)).count();
            let indexes: Vec<String> = indexes[from..=from + len].to_vec();
            assert_eq!(index["IndexName"], fact(&indexes, "IndexName").as_str(), "{name}");
            let keys: Vec<String> =
                indexes.iter().filter(|line| line.contains("- {")).cloned().collect();
            let keys = pairs(&keys, "KeyType");
            assert_eq!(keys.len(), 2, "{name}");
            assert_eq!(described_pairs(&index["KeySchema"], "KeyType"), keys, "{name}");
            let projection = index["Projection"]["ProjectionType"].as_str().unwrap();
            let others = index["Projection"]["NonKeyAttributes"].as_array();
            let others = others.map(|names| {
                let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
                format!(", NonKeyAttributes: [{}]", names.join(", "))
            });
            let projection =
                format!("{{ProjectionType: {projection}{}}}", others.unwrap_or_default());
            assert_eq!(fact(&indexes, "Projection"), projection, "{name}");
        }

        let ttl = dynamodb(&app, "DescribeTimeToLive", json!({ "TableName": name })).await;
        let ttl = &ttl["TimeToLiveDescription"];
        assert_eq!(ttl["TimeToLiveStatus"], "ENABLED", "{name}");
        let ttl = format!(
            "{{AttributeName: {}, Enabled: true}}",
            ttl["AttributeName"].as_str().expect("an attribute")
        );
        assert_eq!(fact(block, "TimeToLiveSpecification"), ttl, "{name}");

        let stream = table["StreamSpecification"]["StreamViewType"].as_str();
        let stream = stream.map(|view| format!("{{StreamViewType: {view}}}"));
        assert_eq!(find(block, "StreamSpecification"), stream, "{name}");
        let billing = table["BillingModeSummary"]["BillingMode"].as_str();
        assert_eq!(billing, Some(fact(block, "BillingMode").as_str()), "{name}");
    }
    let streams = templates.values().filter(|block| find(block, "StreamSpecification").is_some());
    assert_eq!(streams.count(), 3);
}

/// The index that keeps a document in one shard: the local tables have one anyway.
const INDEX_OF_THE_CLOUD_ALONE: &str = "whole";

/// The failure destination of the template's stream mapping; the local stack logs instead.
const OF_THE_CLOUD_ALONE: &str = "events-dead";

#[tokio::test]
async fn queues_are_those_of_the_template() {
    let app = App::start().await;
    let blocks = resources("AWS::SQS::Queue");
    let mut templates: BTreeMap<String, Vec<String>> =
        blocks.values().map(|block| (full_name(block, "QueueName"), block.clone())).collect();
    let dead = templates.remove(&format!("{PREFIX}{OF_THE_CLOUD_ALONE}"));
    assert!(dead.is_some());
    let listed = app.embedded().sqs("ListQueues", json!({})).await.unwrap();
    let last = |url: &Value| url.as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let listed: BTreeSet<String> =
        listed["QueueUrls"].as_array().unwrap().iter().map(last).collect();
    assert_eq!(listed, templates.keys().cloned().collect());
    let own = Queue::ALL.into_iter();
    let own = own.flat_map(|queue| [queue_name(queue), dead_letters_name(queue)]);
    assert_eq!(listed, own.collect());

    let mut with_dead_letters = 0;
    for (name, block) in &templates {
        let request = json!({
            "QueueUrl": format!("http://localhost{}", EmbeddedServices::queue_path(name)),
            "AttributeNames": ["All"],
        });
        let attributes = app.embedded().sqs("GetQueueAttributes", request).await.unwrap();
        let attributes = &attributes["Attributes"];
        // Attributes that the template omits have the default of SQS.
        for (attribute, default) in [
            ("VisibilityTimeout", Some("30")),
            ("MessageRetentionPeriod", None),
            ("DelaySeconds", Some("0")),
        ] {
            let written = match default {
                Some(default) => find(block, attribute).unwrap_or_else(|| default.to_owned()),
                None => fact(block, attribute),
            };
            assert_eq!(attributes[attribute], written.as_str(), "{attribute} of {name}");
        }
        let redrive = below(block, "RedrivePolicy");
        let policy = attributes["RedrivePolicy"].as_str();
        assert_eq!(policy.is_some(), !redrive.is_empty(), "{name}: {attributes}");
        let Some(policy) = policy else { continue };
        with_dead_letters += 1;
        let policy: Value = serde_json::from_str(policy).unwrap();
        assert_eq!(policy["maxReceiveCount"].to_string(), fact(&redrive, "maxReceiveCount"));
        let target = fact(&redrive, "deadLetterTargetArn");
        let target = target.strip_prefix("!GetAtt ").and_then(|target| target.strip_suffix(".Arn"));
        let target = &blocks[target.expect("the ARN of a queue")];
        let arn = EmbeddedServices::queue_arn(&full_name(target, "QueueName"));
        assert_eq!(policy["deadLetterTargetArn"], arn.as_str(), "{name}");
    }
    assert_eq!(with_dead_letters, Queue::ALL.len());
}

/// Below six times the timeout of its worker, a message could repeat while it is processed.
#[tokio::test]
async fn the_visibility_timeout_of_a_queue_is_at_least_six_times_that_of_its_worker() {
    let functions = resources("AWS::Serverless::Function");
    let mut checked = 0;
    for queue in resources("AWS::SQS::Queue") {
        let (id, block) = queue;
        let source = format!("            Queue: !GetAtt {id}.Arn");
        for function in functions.values().filter(|function| function.contains(&source)) {
            let timeout: u32 = fact(function, "Timeout").parse().unwrap();
            let visibility: u32 = fact(&block, "VisibilityTimeout").parse().unwrap();
            assert!(visibility >= 6 * timeout, "{id}: {visibility} s, and {timeout} s of work");
            checked += 1;
        }
    }
    let workers = registry::families().into_iter().flat_map(|family| family.workers);
    let fed = workers.filter(|worker| matches!(worker.trigger, Trigger::Queue(_))).count();
    assert_eq!(checked, fed);
}

#[tokio::test]
async fn the_template_declares_every_variable_that_a_local_function_gets() {
    // `sam local invoke` sets no variable that the template does not have.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../template.yaml");
    let text = std::fs::read_to_string(file).expect("the template");
    let (_, globals) = text.split_once("\nGlobals:\n").expect("globals");
    let (globals, _) = globals.split_once("\nResources:\n").expect("resources");
    let app = App::start().await;
    let variables = app.stack().variables().expect("a port");
    for name in variables.keys().chain([&"KEYRING", &"ADMIN_TOKEN"]) {
        assert!(globals.contains(&format!("        {name}: ")), "{name}");
    }
}
