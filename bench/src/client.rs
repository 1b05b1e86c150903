//! A caller of a service in a separate process.

use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

use crate::process::{ADMIN_TOKEN, Service};

/// The organization of the test data.
pub const ORGANIZATION: &str = "acme";
/// Documents of the events: each numbers its events.
const DOCUMENTS: u64 = 50;
/// Deliveries that a tenant may make for each call that it may write, as in a deployment.
const DELIVERIES: u64 = 10;
/// Mails that a tenant may send per day for each call a second that may write, as in a deployment.
const MAILS: u64 = 50;

/// A tenant of a service.
pub struct Client {
    base: String,
    http: reqwest::Client,
    api_key: String,
    auth_token: String,
    sent: AtomicU64,
}

impl Client {
    /// A new tenant with a production key, advanced webhooks enabled, an organization and documents.
    /// The record of a testing key is read for each call, because its clock may have moved.
    pub async fn of(service: &Service) -> Self {
        let mut client = Self {
            base: service.base(),
            http: reqwest::Client::new(),
            api_key: String::new(),
            auth_token: String::new(),
            sent: AtomicU64::new(0),
        };
        let created = client.post(
            "/v2/workspace/create",
            &[("x-service-admin-token", ADMIN_TOKEN)],
            json!({ "ownerEmail": "owner@example.com" }),
        );
        let created = created.await;
        let id = created["data"]["id"].as_str().expect("an id");
        let token = created["data"]["authToken"].as_str().expect("a token");
        let headers = [("x-service-workspace-id", id), ("x-service-workspace-auth-token", token)];
        let key = json!({
            "ownerEmail": "owner@example.com", "type": "production", "createAuthToken": true,
            "defaultDocumentAccessType": "public",
        });
        let key = client.post("/v2/workspace/apikey/create", &headers, key).await;
        client.api_key = key["data"]["apiKey"].as_str().expect("a key").to_owned();
        let asked = json!({ "apiKey": client.api_key });
        let tokens = client.post("/v2/workspace/authtokens/get", &headers, asked).await;
        let token = tokens["data"]["authTokens"][0]["token"].as_str().expect("a token");
        client.auth_token = token.to_owned();

        let enabled = json!({ "isEnabled": true });
        client.call("/v2/workspace/advancedwebhookconfig/update", enabled).await;
        let documents: Vec<Value> =
            (0..DOCUMENTS).map(|n| json!({ "documentId": format!("d{n}") })).collect();
        let documents = json!({
            "organizationId": ORGANIZATION, "createOrganization": true, "documents": documents,
        });
        client.call("/v2/organizations/documents/add", documents).await;
        client
    }

    async fn post(&self, path: &str, headers: &[(&str, &str)], data: Value) -> Value {
        // A call whose answer was lost with the process is made again.
        for _ in 0..3 {
            if let Some(result) = self.try_post(path, headers, &data).await {
                return result;
            }
        }
        panic!("{path} is not answered");
    }

    async fn try_post(&self, path: &str, headers: &[(&str, &str)], data: &Value) -> Option<Value> {
        let body = json!({ "data": data }).to_string();
        let mut request = self.http.post(format!("{}{path}", self.base)).body(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = request.send().await.ok()?.bytes().await.ok()?;
        let answer: Value = serde_json::from_slice(&answer).ok()?;
        assert!(answer["error"].is_null(), "{path}: {answer}");
        Some(answer["result"].clone())
    }

    fn headers(&self) -> [(&str, &str); 2] {
        [("x-service-api-key", &self.api_key), ("x-service-auth-token", &self.auth_token)]
    }

    /// Calls an operation.
    pub async fn call(&self, path: &str, data: Value) -> Value {
        self.post(path, &self.headers(), data).await
    }

    /// Sets the rate limits of this tenant, as the operator.
    pub async fn limit(&self, reads_per_second: u64, writes_per_second: u64) {
        let limits = json!({
            "apiKey": self.api_key,
            "readsPerSecond": reads_per_second, "writesPerSecond": writes_per_second,
            "deliveriesPerSecond": DELIVERIES * writes_per_second,
            "mailsPerDay": MAILS * writes_per_second,
        });
        let admin = [("x-service-admin-token", ADMIN_TOKEN)];
        self.post("/v2/workspace/apikey/limits/update", &admin, limits).await;
    }

    /// Creates an endpoint; returns its id and its signing secret.
    pub async fn endpoint(&self, url: &str) -> (String, String) {
        let types = ["comment_annotation.add"];
        let endpoint = json!({ "url": url, "filterTypes": types });
        let created = self.call("/v2/workspace/advancedwebhook/endpoints/create", endpoint).await;
        let id = created["data"]["id"].as_str().expect("an id").to_owned();
        let asked = json!({ "endpointId": id });
        let secret = self.call("/v2/workspace/advancedwebhook/endpoints/secret/get", asked).await;
        (id, secret["data"]["secret"].as_str().expect("a secret").to_owned())
    }

    /// Makes one event: a thread with its first comment, whose id is the returned number; none
    /// without a reply.
    pub async fn event(&self) -> (u64, bool) {
        let n = self.sent.fetch_add(1, Ordering::Relaxed);
        let thread = json!({
            "organizationId": ORGANIZATION,
            "documentId": format!("d{}", n % DOCUMENTS),
            "commentAnnotations": [{
                "annotationId": format!("t{n}"),
                "commentData": [{
                    "from": { "userId": "ada", "name": "Ada Lovelace" },
                    "commentText": "What do you think of this sentence?",
                }],
            }],
        });
        let made = self.try_post("/v2/commentannotations/add", &self.headers(), &thread).await;
        (n, made.is_some())
    }

    /// Makes events, some at a time; returns the numbers of the accepted ones.
    pub async fn events(&self, count: usize, at_once: usize) -> Vec<u64> {
        let made = stream::iter(0..count).map(|_| self.event()).buffer_unordered(at_once);
        made.filter_map(|(n, accepted)| async move { accepted.then_some(n) }).collect().await
    }
}
