//! `cargo xtask event`: samples with the credentials and ids of a running deployment.

mod client;

use std::{collections::BTreeMap, fs};

use serde_json::{Value, json};
use service::Effect;

use client::Client;

use crate::project::Project;

/// The request of a command.
pub(crate) struct EventRequest<'a> {
    /// Base URL of the deployment.
    pub(crate) url: &'a str,
    /// The file with the token of its operator.
    pub(crate) token_file: &'a str,
    /// The directory of the files; without it, the one event is printed.
    pub(crate) out: Option<&'a str>,
    /// The functions; all of them when none is named.
    pub(crate) names: Vec<&'a str>,
}

/// Fills samples. Deleting operations get separate test data; the others share it.
pub(crate) fn fill(project: &Project, order: &EventRequest<'_>) -> Result<(), String> {
    let deleting: Vec<String> = project
        .specs()
        .filter(|spec| spec.effect == Effect::Deletes || is_last(spec.name))
        .map(service::Spec::binary)
        .collect();
    let mut names: Vec<String> = order.names.iter().map(|&name| name.to_owned()).collect();
    if names.is_empty() {
        names = project.functions().flat_map(|it| &it.binaries).map(|it| it.name.clone()).collect();
    }
    if order.out.is_none() && names.len() != 1 {
        return Err("Without --out one function has to be named.".to_owned());
    }
    let token = project.read(order.token_file)?;
    let client = Client::new(project, order.url, token.trim());
    let mut shared = None;
    for name in names {
        let own = deleting.contains(&name);
        let world = match &shared {
            Some(world) if !own => Clone::clone(world),
            _ => TestData::make(project, &client)?,
        };
        let file = format!("events/{name}.json");
        let missing =
            || format!("There is no function {name}; `cargo xtask operations` lists them.");
        let event = world.fill(&project.read_if_there(&file)?.ok_or_else(missing)?);
        match order.out {
            Some(dir) => fs::create_dir_all(dir)
                .and_then(|()| fs::write(format!("{dir}/{name}.json"), event))
                .map_err(|e| format!("{dir}: {e}"))?,
            None => print!("{event}"),
        }
        if !own {
            shared = Some(world);
        }
    }
    Ok(())
}

/// Whether later samples with the same test data would fail: credentials end, access is removed, or
/// the clock moves.
fn is_last(name: &str) -> bool {
    ["_reset", "_rotate", ".disable", "_disable", "clock_advance", "limits_update"]
        .iter()
        .any(|end| name.ends_with(end))
        || name == "workspace.api_key_update"
}

/// The values of placeholders in samples: credentials of a new workspace, and its generated ids.
#[derive(Clone)]
struct TestData(BTreeMap<String, String>);

impl TestData {
    fn make(project: &Project, client: &Client<'_>) -> Result<Self, String> {
        let admin = ("adminToken".to_owned(), client.admin_token.to_owned());
        let mut world = Self(BTreeMap::from([admin]));
        let owner = json!({
            "ownerEmail": "owner@example.com", "defaultDocumentAccessType": "public",
        });
        let made = world.call(client, "operator.workspace_create", owner)?;
        world.keep("workspaceId", &made["id"])?;
        world.keep("workspaceToken", &made["authToken"])?;
        let first = made["apiKeyList"].as_object().and_then(|keys| keys.keys().next());
        world.keep("apiKey", &json!(first))?;
        let tokens =
            world.call(client, "workspace.auth_tokens_get", json!({ "apiKey": "{{apiKey}}" }))?;
        world.keep("authToken", &tokens["authTokens"][0]["token"])?;
        let second = json!({ "ownerEmail": "owner@example.com", "type": "testing" });
        let second = world.call(client, "workspace.api_key_create", second)?;
        world.keep("secondApiKey", &second["apiKey"])?;
        let user = json!({
            "userId": "ada",
            "userProperties": { "name": "Ada", "email": "ada@example.com", "organizationId": "acme" },
            "permissions": { "resources": [] },
        });
        let user = world.call(client, "users.generate_token", user)?;
        world.keep("userToken", &user["token"])?;
        // An existing receiver, so that samples about messages have one.
        let on = json!({ "isEnabled": true });
        world.call(client, "configuration.advanced_webhooks_update", on)?;
        let endpoint =
            json!({ "url": "https://example.com", "filterTypes": ["comment_annotation.add"] });
        let endpoint = world.call(client, "webhook-endpoints.create", endpoint)?;
        world.keep("endpointId", &endpoint["id"])?;
        let text = project
            .read("tests/world.json")?
            .replace("{{mark}}", "")
            .replace("{{mark-in-url}}", "");
        let calls: Vec<Value> = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        for call in calls {
            let name = call["operation"].as_str().unwrap_or_default();
            let reply = world.call(client, name, call["data"].clone())?;
            if let Some(kept) = call["keep"].as_str() {
                world.keep(kept, &reply[kept])?;
            }
        }
        let erased = json!({ "userIds": ["gone"], "organizationIds": ["acme"] });
        let job = world.call(client, "user-data.delete", erased)?;
        world.keep("jobId", &job["jobId"])?;
        for _ in 0..60 {
            let page = world.call(client, "deliveries.messages_get", json!({ "limit": 1 }))?;
            if world.keep("messageId", &page["messages"][0]["id"]).is_ok() {
                return Ok(world);
            }
            std::thread::sleep(std::time::Duration::from_millis(500));
        }
        Err("no webhook message came within 30 s: does the journal run?".to_owned())
    }

    fn call(&self, client: &Client<'_>, name: &str, data: Value) -> Result<Value, String> {
        let data =
            serde_json::from_str(&self.fill(&data.to_string())).map_err(|e| e.to_string())?;
        client.call(&self.0, name, &data)
    }

    fn keep(&mut self, name: &str, value: &Value) -> Result<(), String> {
        let value = value.as_str().ok_or_else(|| format!("the reply of a call has no {name}"))?;
        self.0.insert(name.to_owned(), value.to_owned());
        Ok(())
    }

    fn fill(&self, text: &str) -> String {
        let filled = |text: String, (name, value): (&String, &String)| {
            text.replace(&format!("{{{{{name}}}}}"), value)
        };
        self.0.iter().fold(text.to_owned(), filled)
    }
}

#[cfg(test)]
mod tests {
    use super::{TestData, is_last};

    #[test]
    fn only_names_that_are_known_are_filled_in() {
        let world = TestData([("apiKey".to_owned(), "ak_1".to_owned())].into());
        assert_eq!(world.fill("{{apiKey}} {{title}} {apiKey}"), "ak_1 {{title}} {apiKey}");
    }

    #[test]
    fn what_ends_credentials_has_a_world_of_its_own() {
        assert!(is_last("operator.auth_token_rotate") && is_last("schedule.test_clock_advance"));
        assert!(!is_last("workspace.get"));
    }
}
