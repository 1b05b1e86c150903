//! Links from descriptions to the documentation, as the local service serves it.

use serde_json::Value;

/// Members whose content is that of callers.
const DATA: &[&str] = &["const", "default", "enum", "example", "examples"];

/// The link to the contract of an operation, which is on the page of its family.
pub(super) fn to_operation(name: &str) -> String {
    let (family, _) = name.split_once('.').unwrap_or_default();
    to_page(&format!("{family}#{name}"))
}

/// The link to a page of the contract, or to an anchor of it.
pub(super) fn to_page(page: &str) -> String {
    format!("[Contract](/docs/contract/{page})")
}

/// Makes the references in all descriptions links.
pub(super) fn link(document: &mut Value, linked: &dyn Fn(&str) -> String) {
    match document {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if name == "description" => *text = linked(text),
                    value if !DATA.contains(&name.as_str()) => link(value, linked),
                    _ => {}
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| link(item, linked)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{link, to_operation};

    #[test]
    fn an_operation_is_described_on_the_page_of_its_family() {
        assert_eq!(to_operation("users.add"), "[Contract](/docs/contract/users#users.add)");
    }

    #[test]
    fn descriptions_have_links_and_data_of_callers_has_none() {
        let mut document =
            json!({ "a": [{ "description": "a", "example": { "description": "a" } }] });
        link(&mut document, &|text| format!("[{text}]"));
        let wanted = json!({ "a": [{ "description": "[a]", "example": { "description": "a" } }] });
        assert_eq!(document, wanted);
    }
}
