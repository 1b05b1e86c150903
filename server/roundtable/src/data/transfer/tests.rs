//! A move from one data folder to another, with a broken link in the middle.

use std::{
    fs,
    path::{Path, PathBuf},
};

use embedded::{Effect, EmbeddedServices, Fault};
use serde_json::{Value, json};
use service::{Keyring, Table};

use super::{Archive, export_folder};
use crate::{Setup, Sources, Stack, queue_name, table_name};

const KEYRING: &str = "local=0123456789abcdef0123456789abcdef";
const PASSPHRASE: &str = "correct horse battery";

async fn open(folder: &Path) -> Stack {
    let keyring = Keyring::parse(KEYRING).unwrap();
    let setup = Setup::unserved(folder.to_owned(), keyring, registry::families());
    Stack::open(setup).await.unwrap()
}

fn streams(stack: &Stack, folder: &Path) -> Sources {
    stack.sources(Some(folder.join("streams")))
}

async fn put(stack: &Stack, table: Table, item: Value) {
    let place = super::place::Stack::embedded(stack.embedded());
    let request = json!({ "TableName": table_name(table), "Item": item });
    place.dynamodb("PutItem", request).await.unwrap();
}

async fn send(embedded: &EmbeddedServices, queue: &str, body: &str, delay: u32, attributes: Value) {
    let request = json!({
        "QueueUrl": format!("http://localhost{}", EmbeddedServices::queue_path(queue)),
        "MessageBody": body,
        "DelaySeconds": delay,
        "MessageGroupId": "tenant",
        "MessageAttributes": attributes,
    });
    embedded.sqs("SendMessage", request).await.unwrap();
}

/// Items of every type of attribute, messages in every state, and what stays behind.
async fn fill(stack: &Stack) {
    for n in 0..450 {
        let item = json!({
            "PK": { "S": format!("key#k{n}") }, "SK": { "S": "key" }, "written": { "N": "1.5" },
            "all": { "M": {
                "s": { "S": "é🦀\n" }, "b": { "B": "AAEC/w==" }, "yes": { "BOOL": true },
                "none": { "NULL": true }, "l": { "L": [{ "N": "-0.001" }, { "S": "" }] },
                "ss": { "SS": ["b", "a"] }, "ns": { "NS": ["2", "1"] }, "bs": { "BS": ["AQ==", "AA=="] },
            } },
        });
        put(stack, Table::Resources, item).await;
    }
    let document = "key#k#organization#o#document#d";
    let row = |sort: &str| json!({ "PK": { "S": document }, "SK": { "S": sort } });
    for sort in ["presence#d#user#u", "live-state#d#data#x", "connection", "operation#folders.add"]
    {
        put(stack, Table::Realtime, row(sort)).await;
    }
    let mut counter = row("counter");
    counter["seq"] = json!({ "N": "41" });
    counter["lanes"] = json!({ "M": {} });
    put(stack, Table::Events, counter).await;
    let embedded = stack.embedded();
    for n in 0..25 {
        let delay = if n == 0 { 600 } else { 0 };
        send(embedded, &queue_name(queue::Queue::Deliveries), &n.to_string(), delay, json!({}))
            .await;
    }
    let reason = json!({ "reason": { "DataType": "String", "StringValue": "too late" } });
    let dead = crate::dead_letters_name(queue::Queue::Emails);
    send(embedded, &dead, "letter", 0, reason).await;
}

struct Home(PathBuf);

impl Home {
    fn new() -> Self {
        let name = keyring::random_text::<8>().unwrap();
        let home = std::env::temp_dir().join(format!("roundtable-move-{name}"));
        fs::create_dir_all(&home).unwrap();
        Self(home)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

async fn export(stack: &Stack, folder: &Path, file: &Path) {
    export_folder(streams(stack, folder), folder, "here", KEYRING, PASSPHRASE, file).await.unwrap();
}

fn fault(operation: &str, skip: usize, effect: Effect) -> Fault {
    Fault { operation: operation.to_owned(), skip, times: 1, effect }
}

#[tokio::test]
async fn what_moves_is_the_same_there_and_a_repetition_goes_on() {
    let home = Home::new();
    let [from, to, file, back] = ["from", "to", "a.tar", "b.tar"].map(|name| home.0.join(name));
    let source = open(&from).await;
    fill(&source).await;
    fs::write(from.join("format"), "1").unwrap();
    export(&source, &from, &file).await;
    assert!(Archive::open(&file, "another passphrase").is_err());
    let archive = Archive::open(&file, PASSPHRASE).unwrap();
    assert_eq!(archive.keyring(), KEYRING);
    assert!(archive.needs_repair(), "its data are of the format of its folder");
    let keys = home.0.join("keys");
    archive.write_keyring(&keys).unwrap();
    assert!(archive.write_keyring(&keys).unwrap_err().contains("exists"), "a new file only");
    assert_eq!(fs::read_to_string(&keys).unwrap(), KEYRING);

    let target = open(&to).await;
    let (deliveries, embedded) = (queue_name(queue::Queue::Deliveries), target.embedded());
    // The link breaks in the second round of a table, and again among the messages.
    embedded.inject(fault("BatchWriteItem", 1, Effect::Unprocessed));
    embedded.inject(fault("PutItem", 2, Effect::TransactionConflict));
    let broken = archive.import_into_folder(streams(&target, &to), &to).await.unwrap_err();
    assert!(broken.contains("TransactionConflict"), "{broken}");
    let half = embedded.dump(&table_name(Table::Resources)).unwrap().len();
    assert!(half > 0 && embedded.stored_messages(&deliveries).unwrap().is_empty(), "{half}");
    // The second ten messages are refused; those of them that were sent come twice.
    let effect = Effect::Refuse("11".to_owned());
    embedded.inject(Fault { operation: "SendMessageBatch".to_owned(), skip: 1, times: 5, effect });
    let broken = archive.import_into_folder(streams(&target, &to), &to).await.unwrap_err();
    assert!(broken.contains("refused"), "{broken}");
    assert_eq!(embedded.stored_messages(&deliveries).unwrap().len(), 19);
    archive.import_into_folder(streams(&target, &to), &to).await.unwrap();
    let again = archive.import_into_folder(streams(&target, &to), &to).await.unwrap_err();
    assert!(again.contains("is not empty"), "{again}");

    let mut bodies: Vec<String> =
        embedded.stored_messages(&deliveries).unwrap().into_iter().map(|it| it.body).collect();
    bodies.sort_unstable();
    bodies.dedup();
    assert_eq!(bodies.len(), 25);
    let depth = embedded.queue_depth(&deliveries).unwrap();
    assert_eq!(depth.delayed, 1, "the rest of its delay");
    let dead = embedded.stored_messages(&crate::dead_letters_name(queue::Queue::Emails)).unwrap();
    assert_eq!(dead[0].attributes["reason"]["StringValue"], "too late");
    assert_eq!(dead[0].group.as_deref(), Some("tenant"));
    let realtime = embedded.dump(&table_name(Table::Realtime)).unwrap();
    let kept: Vec<&str> = realtime.iter().map(|item| item["SK"]["S"].as_str().unwrap()).collect();
    assert_eq!(kept, ["live-state#d#data#x", "operation#folders.add"]);

    assert_eq!(crate::data::data_dir::format_of(&to), Ok(1), "the first start changes it");
    crate::data::data_dir::note_format(&to, 2).unwrap();
    export(&target, &to, &back).await;
    let back = Archive::open(&back, PASSPHRASE).unwrap();
    assert!(!back.needs_repair());
    for (name, part) in archive.manifest.parts().filter(|(name, _)| name.starts_with("tables/")) {
        let other = back.manifest.part(name).unwrap();
        assert_eq!((part.count, &part.digest), (other.count, &other.digest), "{name}");
    }
}
