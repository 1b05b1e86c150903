//! The world that the samples in `events/` are made for.

use std::path::PathBuf;

use roundtable::table_name;
use serde_json::{Value, json};
use service::Table;

use crate::{App, Credentials, Options, beginning::Beginning};

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../events"))
}

/// The sample of a function, as it stands.
pub fn sample(binary: &str) -> String {
    let file = folder().join(format!("{binary}.json"));
    std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

impl App {
    /// Starts a deployment that holds what the samples refer to; returns a second key, too.
    pub async fn sample_world() -> (Self, Credentials) {
        Self::sample_world_with(Options::default()).await
    }

    /// Starts a deployment with other options that holds what the samples refer to; returns a
    /// second key, too.
    pub async fn sample_world_with(options: Options) -> (Self, Credentials) {
        let beginning = Beginning::with_samples().await;
        (beginning.start(options).await, beginning.second.clone().expect("a second key"))
    }

    /// Starts a deployment with the samples after all work was done, so that later work comes of
    /// the test.
    pub async fn settled_sample_world() -> (Self, Credentials) {
        let beginning = Beginning::with_settled_samples().await;
        let app = beginning.start(Options::default()).await;
        app.skip_records().await;
        (app, beginning.second.clone().expect("a second key"))
    }

    /// Adds what the samples refer to, as `tests/world.json` has it. `mark` goes into every name, to
    /// find it again where it must not be.
    pub async fn fill_sample_world(&self, mark: &str) {
        let text = include_str!("../world.json").replace("{{mark}}", mark);
        let text = text.replace("{{mark-in-url}}", &mark.replace(' ', "-"));
        let calls: Vec<Value> = serde_json::from_str(&text).expect("the world is JSON");
        for call in calls {
            let agent = self.ids.lock().agent.clone();
            let data = call["data"].to_string().replace("{{agentId}}", &agent);
            let data = serde_json::from_str(&data).expect("JSON");
            let reply = self.call(call["operation"].as_str().expect("a name"), data).await.data();
            // These ids are generated, so samples name them.
            let id = |name: &str| reply[name].as_str().expect("an id").to_owned();
            match call["keep"].as_str() {
                Some("agentId") => self.ids.lock().agent = id("agentId"),
                Some(_) => self.ids.lock().version = id("versionId"),
                None => {}
            }
        }
        self.add_sample_message().await;
    }

    /// A job that erases somebody nobody knows. Its id is generated, so samples name it `{{jobId}}`.
    pub(crate) async fn add_sample_job(&self) {
        let sent = json!({ "userIds": ["gone"], "organizationIds": ["acme"] });
        let job = self.call("user-data.delete", sent).await.data();
        self.ids.lock().job = job["jobId"].as_str().expect("an id").into();
    }

    /// A webhook message, of the thread that was added. Its id follows from that event, so
    /// samples name it `{{messageId}}`.
    async fn add_sample_message(&self) {
        for stored in self.events() {
            let is_thread = stored["event"]["event"] == "comment_annotation.add";
            if !is_thread || stored["tenant"] != self.key.api_key.as_str() {
                continue;
            }
            let id = format!("msg_{}", stored["id"].as_str().expect("an id"));
            self.put_sample_message(&id, &stored.to_string()).await;
            self.ids.lock().message = id;
        }
    }

    /// The message and its outcome: nothing of this world is sent anywhere.
    async fn put_sample_message(&self, id: &str, event: &str) {
        let endpoint = self.sample_endpoint().expect("an endpoint");
        let (key, sort) = (format!("key#{}", self.key.api_key), format!("webhook-message#{id}"));
        let message = json!({
            "PK": { "S": key }, "SK": { "S": sort }, "body": { "S": event },
            "context": { "S": "{}" }, "endpoints": { "SS": [endpoint] },
        });
        let attempt = json!({ "M": {
            "id": { "S": "atm_sample" }, "url": { "S": "https://hooks.example.com" },
            "statusCode": { "N": "200" }, "durationMs": { "N": "7" },
            "response": { "S": "Thanks." }, "trigger": { "S": "scheduled" },
            "succeeded": { "BOOL": true }, "at": { "N": "1795161600000" },
        } });
        let delivery = json!({
            "PK": { "S": format!("{key}#webhook-endpoint#{endpoint}") }, "SK": { "S": sort },
            "_version": { "S": "sample" }, "messageId": { "S": id },
            "endpointId": { "S": endpoint }, "status": { "S": "success" },
            "createdAt": { "N": "1795161600000" }, "attempts": { "L": [attempt] },
        });
        for (table, item) in [(Table::Events, message), (Table::Schedule, delivery)] {
            let put = json!({ "TableName": table_name(table), "Item": item }).to_string();
            let sent = self.client.post(self.stack().aws_endpoint().expect("a port"));
            let sent = sent.header("x-amz-target", "DynamoDB_20120810.PutItem").body(put).send();
            assert_eq!(sent.await.expect("the embedded").status(), 200);
        }
    }

    /// The webhook endpoint that the tenant has, if any.
    fn sample_endpoint(&self) -> Option<String> {
        let items = self.items_of(Table::Resources, &self.key);
        items.iter().find_map(|item| {
            item["SK"]["S"].as_str()?.strip_prefix("webhook#endpoint#").map(str::to_owned)
        })
    }

    /// Variables in samples, each with its value in this deployment.
    fn sample_names(&self, second: &Credentials) -> [(&'static str, String); 11] {
        let ids = self.ids.lock().clone();
        [
            ("{{apiKey}}", self.key.api_key.clone()),
            ("{{authToken}}", self.key.auth_token.clone()),
            ("{{secondApiKey}}", second.api_key.clone()),
            ("{{agentId}}", ids.agent),
            ("{{jobId}}", ids.job),
            ("{{messageId}}", ids.message),
            ("{{versionId}}", ids.version),
            ("{{workspaceId}}", self.workspace.id.clone()),
            ("{{workspaceToken}}", self.workspace.token.clone()),
            ("{{endpointId}}", self.sample_endpoint().unwrap_or_default()),
            ("{{secondAuthToken}}", second.auth_token.clone()),
        ]
    }

    /// A function's sample, for this deployment.
    pub fn sample_event(&self, binary: &str, second: &Credentials) -> Value {
        let names = self.sample_names(second);
        let text = names.iter().fold(sample(binary), |text, (name, is)| text.replace(name, is));
        serde_json::from_str(&text).expect("a sample is JSON")
    }

    /// The body of a function's sample, for this deployment.
    pub fn sample_body(&self, binary: &str, second: &Credentials) -> String {
        self.sample_event(binary, second)["body"].as_str().unwrap_or_default().to_owned()
    }

    /// A reply as the OpenAPI document shows it: ids of this deployment by their names, long texts
    /// and lists cut.
    pub fn sample_reply(&self, reply: &str, second: &Credentials) -> Value {
        let names = self.sample_names(second);
        let known = names.iter().filter(|(_, is)| !is.is_empty());
        let text = known.fold(reply.to_owned(), |text, (name, is)| text.replace(is, name));
        let mut reply = serde_json::from_str(&text).expect("a reply is JSON");
        cut(&mut reply);
        reply
    }
}

fn cut(value: &mut Value) {
    const LETTERS: usize = 60;
    match value {
        Value::String(text) if text.chars().count() > LETTERS => {
            *text = text.chars().take(20).chain("…".chars()).collect();
        }
        Value::Array(elements) => {
            // Three numbers may be one thing: a range of items.
            elements.truncate(if elements.iter().all(Value::is_number) { 3 } else { 2 });
            elements.iter_mut().for_each(cut);
        }
        Value::Object(members) => members.values_mut().for_each(cut),
        _ => {}
    }
}
