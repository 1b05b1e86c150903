//! Rules, dashboard and documentation name what this process serves, and nothing else.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
    time::Duration,
};

use embedded::{Database, Observer};
use prometheus_client::encoding::prometheus_text;
use service::{AttemptOutcome, DeliveryObserver};

use super::{Metrics, OfCall, sample::Sample};

const PREFIXES: [&str; 3] = ["roundtable_", "http_server_", "process_"];

fn file(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The text below a heading, up to the next one of its level.
fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let (_, section) = text.split_once(&format!("\n{heading}\n")).expect("the heading");
    section.split_once("\n## ").map_or(section, |(section, _)| section)
}

/// A text with each metric, and their types by name.
fn served() -> (String, BTreeMap<String, String>) {
    let metrics = Metrics::default();
    let (second, operation) = (Duration::from_secs(1), "users.get");
    metrics.calls.get_or_create(&OfCall { operation, status: 200 }).observe(0.001);
    metrics.called(Database::Sqs, "SendMessage", second, second);
    metrics.synced(Database::DynamoDb, second);
    metrics.attempted(AttemptOutcome { is_success: true, delay: Some(second) });
    *metrics.latest.0.lock() = Arc::new(Sample::of_everything());
    let mut text = String::new();
    prometheus_text::encode(&mut text, &metrics.registry).unwrap();
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    let types = types.map(|(name, kind)| (name.to_owned(), kind.to_owned())).collect();
    (text, types)
}

/// The names in a text, without the suffixes of series of a histogram.
fn named(text: &str, types: &BTreeMap<String, String>) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_lowercase() && c != '_');
    let names = words.filter(|word| PREFIXES.iter().any(|prefix| word.starts_with(prefix)));
    let whole = |name: &str| {
        let bare = ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end));
        bare.filter(|bare| types.contains_key(*bare)).unwrap_or(name).to_owned()
    };
    names.map(whole).collect()
}

#[test]
fn documentation_rules_and_dashboard_name_each_metric_and_no_other() {
    let (_, types) = served();
    let names: BTreeSet<String> = types.keys().cloned().collect();
    let server = file("docs/SERVER.md");
    let rows = section(&server, "## Metrics").lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        let name = cells.next()?.trim_end_matches('`').split('{').next()?;
        Some((name.to_owned(), cells.next()?.to_owned()))
    });
    let rows = rows.filter(|(name, _)| PREFIXES.iter().any(|prefix| name.starts_with(prefix)));
    assert_eq!(rows.collect::<BTreeMap<_, _>>(), types, "docs/SERVER.md");
    let rules = named(&file("ops/prometheus-rules.yaml"), &types);
    let shown = named(&file("ops/grafana-dashboard.json"), &types);
    assert_eq!(rules.union(&shown).cloned().collect::<BTreeSet<_>>(), names, "ops/");
}

#[test]
fn each_alarm_leads_to_its_runbook() {
    let server = file("docs/SERVER.md");
    let rules = file("ops/prometheus-rules.yaml");
    let values = |key: &str| {
        let lines = rules.lines().map(|line| line.trim().trim_start_matches("- "));
        lines.filter_map(|line| line.strip_prefix(key)).map(str::trim).collect::<Vec<_>>()
    };
    let (alarms, books) = (values("alert:"), values("runbook_url:"));
    assert!(alarms.len() > 8 && alarms.len() == books.len());
    for (alarm, book) in alarms.iter().zip(books) {
        let (page, anchor) = book.split_once('#').expect("an anchor");
        assert!(page.ends_with("docs/SERVER.md"), "{book}");
        let row = server.lines().find(|line| line.contains(&format!("<a id=\"{anchor}\"></a>")));
        assert!(row.is_some_and(|row| row.contains(&format!("`{alarm}`"))), "{alarm}");
    }
}

#[test]
fn labels_have_few_values() {
    let (text, _) = served();
    let series = text.lines().filter(|line| !line.starts_with('#')).count();
    assert!(series < 200, "{series}");
}
