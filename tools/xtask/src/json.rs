//! JSON as it is written into files: what fits on a line stands on one.

use serde_json::Value;

/// Longest line that holds more than one value.
const WIDTH: usize = 120;

/// The text of an object whose first members are `first`, in this order.
pub(crate) fn text(value: &Value, first: &[&str]) -> String {
    let mut text = String::new();
    write(value, first, 0, 0, &mut text);
    text.push('\n');
    text
}

fn write(value: &Value, first: &[&str], indent: usize, used: usize, text: &mut String) {
    let line = value.to_string();
    if indent + used + line.len() <= WIDTH {
        text.push_str(&line);
        return;
    }
    let break_line = |text: &mut String, indent: usize| {
        text.push('\n');
        text.push_str(&" ".repeat(indent));
    };
    match value {
        Value::Object(members) => {
            text.push('{');
            let ordered = first.iter().filter_map(|name| members.get_key_value(*name));
            let others = members.iter().filter(|(name, _)| !first.contains(&name.as_str()));
            for (n, (name, member)) in ordered.chain(others).enumerate() {
                text.push_str(if n == 0 { "" } else { "," });
                break_line(text, indent + 1);
                let name = Value::from(name.as_str()).to_string();
                text.push_str(&format!("{name}: "));
                write(member, &[], indent + 1, name.len() + 2, text);
            }
            break_line(text, indent);
            text.push('}');
        }
        Value::Array(elements) => {
            text.push('[');
            for (n, element) in elements.iter().enumerate() {
                text.push_str(if n == 0 { "" } else { "," });
                break_line(text, indent + 1);
                write(element, &[], indent + 1, 0, text);
            }
            break_line(text, indent);
            text.push(']');
        }
        _ => text.push_str(&line),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::text;

    #[test]
    fn what_fits_on_a_line_stands_on_one_and_means_the_same() {
        let long = "x".repeat(100);
        let value = json!({ "a": [1, 2], "b": { "c": long, "d": [long] }, "e": {} });
        let text = text(&value, &["e"]);
        assert!(
            text.starts_with("{\n \"e\": {},\n \"a\": [1,2],\n \"b\": {\n  \"c\": \"xx"),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
