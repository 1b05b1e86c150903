//! Runs the guides in `docs/`: their shell commands are sent as they are, and every reply is
//! compared with the one below it.

use std::{collections::BTreeMap, path::PathBuf};

use serde_json::Value;

use crate::App;

/// One call of a guide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The shell function that sends it: `admin`, `workspace` or `call`.
    pub sender: String,
    /// The path.
    pub path: String,
    /// The body with unexpanded variables: `'$NAME'`.
    body: Vec<Part>,
    /// The variable set from a member of the reply.
    captured: Option<(String, String)>,
    /// Required content of the reply.
    expected: Option<Value>,
    /// Whether the guide waits for the background before it.
    pub waits: bool,
    line: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Variable(String),
}

/// Texts from replies, by variable.
pub type Variables = BTreeMap<String, String>;

/// Runs a guide against a deployment, with the workspace and key that the guide creates; returns
/// its number of calls.
///
/// # Panics
/// When a reply differs from the guide.
pub async fn play(app: &App, name: &str) -> usize {
    let mut variables = Variables::new();
    let steps = steps(name);
    let count = steps.len();
    let (mut workspace, mut key) = (app.workspace.clone(), app.key.clone());
    for step in steps {
        if step.waits {
            app.settle().await;
        }
        let caller = app.caller().workspace(&workspace).key(&key);
        let body = format!("{{\"data\":{}}}", step.data(&variables));
        let reply = caller.body_at(&step.path, body).await;
        if let Err(wrong) = step.check(reply.text(), &mut variables) {
            panic!("{wrong}");
        }
        let text = |name: &str| variables.get(name).cloned().unwrap_or_default();
        match step.path.as_str() {
            "/v2/workspace/create" => {
                let created = reply.data();
                let member = |name: &str| created[name].as_str().unwrap_or_default().to_owned();
                (workspace.id, workspace.token) = (member("id"), member("authToken"));
            }
            "/v2/workspace/authtokens/get" => {
                (key.api_key, key.auth_token) = (text("KEY"), text("TOKEN"));
            }
            _ => {}
        }
    }
    app.settle().await;
    count
}

/// The steps of a guide in `docs/`.
pub fn steps(name: &str) -> Vec<Step> {
    let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs")).join(name);
    let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let (mut steps, mut waits) = (Vec::new(), false);
    let mut lines = text.lines().enumerate();
    while let Some((_, line)) = lines.next() {
        let block = |lines: &mut dyn Iterator<Item = (usize, &str)>| -> Vec<(usize, String)> {
            let inside = lines.take_while(|(_, line)| !line.starts_with("```"));
            inside.map(|(n, line)| (n + 1, line.to_owned())).collect()
        };
        match line {
            "```sh" => read_shell(&block(&mut lines), &mut steps, &mut waits),
            "```json" => {
                let block = block(&mut lines);
                let at = block.first().map_or(0, |(n, _)| *n);
                let text: Vec<String> = block.into_iter().map(|(_, line)| line).collect();
                let expected = serde_json::from_str(&text.join("\n"));
                let step: &mut Step = steps.last_mut().expect("a call above its reply");
                step.expected = Some(expected.unwrap_or_else(|e| panic!("line {at}: {e}")));
            }
            _ => {}
        }
    }
    steps
}

fn read_shell(block: &[(usize, String)], steps: &mut Vec<Step>, waits: &mut bool) {
    let mut lines = block.iter();
    while let Some((n, line)) = lines.next() {
        if line.starts_with("sleep ") {
            *waits = true;
        }
        let (captured, rest) = match line.split_once("=$(") {
            Some((name, rest)) => (Some(name.to_owned()), rest.to_owned()),
            None => (None, line.clone()),
        };
        let Some((sender, rest)) = rest.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned()))
        else {
            continue;
        };
        if !["admin", "workspace", "call"].contains(&sender.as_str()) || !rest.starts_with("/v") {
            continue;
        }
        let (path, mut word) = rest
            .split_once(' ')
            .map_or((rest.clone(), String::new()), |(a, b)| (a.to_owned(), b.to_owned()));
        // A quoted text may go over several lines.
        while word.matches('\'').count() % 2 == 1 {
            let (_, more) = lines.next().unwrap_or_else(|| panic!("line {n}: an open quote"));
            word = format!("{word}\n{more}");
        }
        let (body, behind) = read_word(&word);
        let field =
            behind.trim().strip_prefix("| field ").map(|f| f.trim_end_matches(')').to_owned());
        let captured = captured.zip(field);
        let waits = std::mem::take(waits);
        steps.push(Step { sender, path, body, captured, expected: None, waits, line: *n });
    }
}

/// A shell word of `'text'` and `$NAME`, and the rest of the line.
fn read_word(word: &str) -> (Vec<Part>, String) {
    let (mut parts, mut rest) = (Vec::new(), word);
    loop {
        if let Some(quoted) = rest.strip_prefix('\'') {
            let (text, behind) = quoted.split_once('\'').unwrap_or((quoted, ""));
            parts.push(Part::Text(text.to_owned()));
            rest = behind;
        } else if let Some(name) = rest.strip_prefix('$') {
            let end = name.find(|c: char| !c.is_ascii_uppercase() && c != '_');
            let (name, behind) = name.split_at(end.unwrap_or(name.len()));
            parts.push(Part::Variable(name.to_owned()));
            rest = behind;
        } else {
            return (parts, rest.to_owned());
        }
    }
}

impl Step {
    /// The `data` of a request.
    pub fn data(&self, variables: &Variables) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Variable(name) => variables.get(name).cloned().unwrap_or_default(),
        };
        let text: String = self.body.iter().map(part).collect();
        if text.is_empty() { "{}".to_owned() } else { text }
    }

    /// Compares a reply, and stores its variables.
    ///
    /// # Errors
    /// The difference.
    pub fn check(&self, reply: &str, variables: &mut Variables) -> Result<(), String> {
        let at = format!("line {}: {} {}", self.line, self.sender, self.path);
        let found: Value = serde_json::from_str(reply).map_err(|e| format!("{at}: {e}"))?;
        match &self.expected {
            Some(expected) => {
                compare(expected, &found, "").map_err(|e| format!("{at}: {e}\n{reply}"))?;
            }
            None if found["result"]["status"] == "success"
                && !reply.contains("\"success\":false") => {}
            None => return Err(format!("{at} failed: {reply}")),
        }
        if let Some((name, field)) = &self.captured {
            let value = find(&found, field).ok_or_else(|| format!("{at}: no {field}: {reply}"))?;
            variables.insert(name.clone(), value);
        }
        Ok(())
    }
}

/// The first text of that name, at any depth.
fn find(value: &Value, field: &str) -> Option<String> {
    match value {
        Value::Object(members) => match members.get(field) {
            Some(Value::String(text)) => Some(text.clone()),
            _ => members.values().find_map(|member| find(member, field)),
        },
        Value::Array(elements) => elements.iter().find_map(|element| find(element, field)),
        _ => None,
    }
}

/// Whether the reply contains the expected value. `"…"` matches anything; extra members are
/// allowed, extra elements of a list are not.
fn compare(expected: &Value, found: &Value, path: &str) -> Result<(), String> {
    match (expected, found) {
        (Value::String(any), _) if any == "…" => Ok(()),
        (Value::Object(expected), Value::Object(found)) => {
            expected.iter().try_for_each(|(name, expected)| {
                let path = format!("{path}.{name}");
                let found = found.get(name).ok_or_else(|| format!("{path} is missing"))?;
                compare(expected, found, &path)
            })
        }
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            let pairs = expected.iter().zip(found).enumerate();
            pairs.into_iter().try_for_each(|(n, (e, f))| compare(e, f, &format!("{path}[{n}]")))
        }
        (expected, found) if expected == found => Ok(()),
        _ => Err(format!("{path} is {found}, not {expected}")),
    }
}
