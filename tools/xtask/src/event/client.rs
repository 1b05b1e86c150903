//! Calls to a deployment. They are few, so curl makes them: it supports TLS and proxies.

use std::{
    collections::BTreeMap,
    io::Write,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::project::Project;

/// The header of each credential in samples.
const CREDENTIALS: [(&str, &str); 5] = [
    ("x-service-admin-token", "adminToken"),
    ("x-service-workspace-id", "workspaceId"),
    ("x-service-workspace-auth-token", "workspaceToken"),
    ("x-service-api-key", "apiKey"),
    ("x-service-auth-token", "authToken"),
];

/// A deployment.
pub(crate) struct Client<'a> {
    project: &'a Project,
    url: &'a str,
    pub(crate) admin_token: &'a str,
}

impl<'a> Client<'a> {
    pub(crate) fn new(project: &'a Project, url: &'a str, admin_token: &'a str) -> Self {
        Self { project, url: url.trim_end_matches('/'), admin_token }
    }

    /// Calls an operation; returns `result.data`.
    pub(crate) fn call(
        &self,
        known: &BTreeMap<String, String>,
        name: &str,
        data: &Value,
    ) -> Result<Value, String> {
        let spec = self.project.specs().find(|spec| spec.name == name);
        let spec = spec.ok_or_else(|| format!("there is no operation {name}"))?;
        let headers = CREDENTIALS.iter().filter(|(header, _)| spec.headers.contains(header));
        let headers = headers.filter_map(|(header, value)| Some((*header, known.get(*value)?)));
        let body = json!({ "data": data }).to_string();
        // Through a file of options, because arguments are visible in process lists.
        let mut options = format!(
            "url = {}\ndata = {}\n",
            quoted(&format!("{}{}", self.url, spec.paths[0])),
            quoted(&body)
        );
        for (header, value) in headers {
            options += &format!("header = {}\n", quoted(&format!("{header}: {value}")));
        }
        let answer = curl(&options)?;
        let json: Value = serde_json::from_str(&answer).unwrap_or_default();
        match json["result"]["status"].as_str() {
            Some("success") => Ok(json["result"]["data"].clone()),
            _ => Err(format!("{name} answered {answer}")),
        }
    }
}

fn curl(options: &str) -> Result<String, String> {
    let failed = |e: std::io::Error| format!("curl cannot be run: {e}");
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--show-error", "--max-time", "60", "--config", "-"]);
    let mut curl = curl.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    if let Some(mut input) = curl.stdin.take() {
        input.write_all(options.as_bytes()).map_err(failed)?;
    }
    let output = curl.wait_with_output().map_err(failed)?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err("curl did not reach the deployment".to_owned()),
    }
}

/// A value in the format of curl's file of options.
fn quoted(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn quotes_in_a_body_stay_quotes() {
        assert_eq!(quoted(r#"{"a":"\n"}"#), r#""{\"a\":\"\\n\"}""#);
    }
}
