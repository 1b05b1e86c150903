//! Fragments of template.yaml: the files of `tools/xtask/templates`, which have placeholders such as
//! `{{name}}`.
//!
//! A placeholder alone on its line stands for any number of lines, which get its indentation. Others
//! stand for a part of a line.

use std::collections::BTreeSet;

/// YAML with placeholders.
pub(crate) struct Fragment {
    file: &'static str,
    text: &'static str,
}

macro_rules! fragments {
    ($($name:ident = $file:literal;)+) => {
        $(pub(crate) const $name: Fragment = Fragment {
            file: concat!("tools/xtask/templates/", $file),
            text: include_str!(concat!("../../templates/", $file)),
        };)+
    };
}

fragments! {
    ADMIN_TOKEN = "admin-token.yaml";
    API_POLICY = "api-policy.yaml";
    API_ROLE = "api-role.yaml";
    CHANGES_METADATA = "changes-metadata.yaml";
    CHANGES_WORKER = "changes-worker.yaml";
    CORS = "cors.yaml";
    DEFAULT_ROUTE = "default-route.yaml";
    FAMILY = "family.yaml";
    FUNCTION = "function.yaml";
    INTEGRATION = "integration.yaml";
    LEADING_KEY = "leading-key.yaml";
    LIVE_DEPLOYMENT = "live-deployment.yaml";
    LIVE_ROUTE = "live-route.yaml";
    MEMORY = "memory.yaml";
    OPERATOR_WORKER = "operator-worker.yaml";
    PAGE = "page.yaml";
    PAGE_METHOD = "page-method.yaml";
    QUEUE_WORKER = "queue-worker.yaml";
    RECURSIVE_LOOP = "recursive-loop.yaml";
    ROUTE = "route.yaml";
    SECRETS = "secrets.yaml";
    STATEMENT = "statement.yaml";
    STREAM = "stream.yaml";
    STREAM_WORKER = "stream-worker.yaml";
    TIMER_ROLE = "timer-role.yaml";
    TIMER_WORKER = "timer-worker.yaml";
}

impl Fragment {
    /// The text with values instead of its placeholders. Each placeholder has a value, and each value
    /// a placeholder.
    pub(crate) fn fill(&self, values: &[(&str, &str)]) -> Result<String, String> {
        let mut unused: BTreeSet<&str> = values.iter().map(|(name, _)| *name).collect();
        let mut value = |name: &str| {
            unused.remove(name);
            let value = values.iter().find(|(it, _)| *it == name).map(|(_, value)| *value);
            value.ok_or_else(|| format!("{}: the placeholder {name} has no value", self.file))
        };
        let mut filled = String::new();
        for line in self.text.split_inclusive('\n') {
            let depth = line.len() - line.trim_start().len();
            if let Some(("", name, "")) = placeholder(line.trim()) {
                filled += &indented(value(name)?, depth);
                continue;
            }
            let mut rest = line;
            while let Some((before, name, behind)) = placeholder(rest) {
                filled += before;
                filled += value(name)?;
                rest = behind;
            }
            filled += rest;
        }
        match unused.first() {
            Some(name) => Err(format!("{}: has no placeholder {name}", self.file)),
            None => Ok(filled),
        }
    }
}

/// The name of the first placeholder, between what is before and what is behind it.
fn placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    // The parameter of `!Sub` in `${{{id}}Function}` begins with the brace before.
    text.char_indices().find_map(|(at, _)| {
        let (name, behind) = text[at..].strip_prefix("{{")?.split_once("}}")?;
        is_name(name).then_some((&text[..at], name, behind))
    })
}

/// The lines at this indentation; empty ones stay empty.
pub(crate) fn indented(lines: &str, depth: usize) -> String {
    let indented = lines.split_inclusive('\n').map(|line| match line.trim() {
        "" => line.to_owned(),
        _ => format!("{:depth$}{line}", ""),
    });
    indented.collect()
}

/// A list with an item on each line.
pub(crate) fn list(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().map(|item| format!("- {item}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::Fragment;

    fn fill(text: &'static str, values: &[(&str, &str)]) -> Result<String, String> {
        Fragment { file: "f", text }.fill(values)
    }

    #[test]
    fn a_placeholder_is_a_part_of_a_line_or_stands_for_lines() {
        let text = "{{a}}: ${{{a}}Arn}\n  {{lines}}\n  {{none}}\nb: {c: {d: {{a}}}}\n";
        let filled = fill(text, &[("a", "X"), ("lines", "e: 1\n\n  f: 2\n"), ("none", "")]);
        assert_eq!(filled.unwrap(), "X: ${XArn}\n  e: 1\n\n    f: 2\nb: {c: {d: X}}\n");
    }

    #[test]
    fn placeholders_and_values_belong_together() {
        let without = fill("{{a}} {{b}}\n", &[("a", "x")]);
        assert_eq!(without.unwrap_err(), "f: the placeholder b has no value");
        let besides = fill("{{a}}\n", &[("a", "x"), ("b", "y")]);
        assert_eq!(besides.unwrap_err(), "f: has no placeholder b");
    }
}
