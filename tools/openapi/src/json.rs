//! JSON format of files: an operation or a schema on a line.

use serde_json::Value;

/// Maximum length of a line before an object is broken.
const WIDTH: usize = 100;
/// Depth to which objects are broken: a document, its parts, their parts.
const DEPTH: usize = 3;

/// The text of a value. Members named `first` go before others, in this order.
pub(crate) fn text(value: &Value, first: &[&str]) -> String {
    let mut text = String::new();
    write(value, first, 0, &mut text);
    text.push('\n');
    text
}

fn write(value: &Value, first: &[&str], depth: usize, text: &mut String) {
    let line = value.to_string();
    let members = match value {
        Value::Object(members) if depth < DEPTH && line.len() > WIDTH => members,
        _ => return text.push_str(&line),
    };
    let ordered = first.iter().filter_map(|name| members.get_key_value(*name));
    let others = members.iter().filter(|(name, _)| !first.contains(&name.as_str()));
    for (n, (name, member)) in ordered.chain(others).enumerate() {
        let before = if n == 0 { "{" } else { "," };
        let name = Value::from(name.as_str());
        text.push_str(&format!("{before}\n{name}:"));
        write(member, first, depth + 1, text);
    }
    text.push_str("\n}");
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::text;

    #[test]
    fn objects_are_broken_down_to_the_parts_of_parts_and_mean_the_same() {
        let long = "x".repeat(100);
        let value = json!({ "a": [1, 2], "b": { "c": { "d": { "f": { "g": long } } } }, "e": {} });
        let text = text(&value, &["e"]);
        let wanted = "{\n\"e\":{},\n\"a\":[1,2],\n\"b\":{\n\"c\":{\n\"d\":{\"f\":{\"g\":\"xx";
        assert!(text.starts_with(wanted), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
