//! Unknown members of a body: named to the caller, or refused by operations where a misspelt filter
//! would do harm (contract `conventions.unknown-members`).

use std::cell::RefCell;

use error::Result;
use serde_json::Value;

use crate::request::{Issue, IssueCode, Step, dotted, refusal};

/// Maximum number of named members.
const MAX_NAMED: usize = 10;
/// Maximum length of a shown name, in characters.
const MAX_SHOWN: usize = 64;

/// Objects with unknown members, each with its known members.
#[derive(Default)]
pub(crate) struct Seen<'a>(RefCell<Vec<(&'a Value, &'static [&'static str])>>);

impl<'a> Seen<'a> {
    pub(crate) fn note(&self, value: &'a Value, known: &'static [&'static str]) {
        let Some(members) = value.as_object() else { return };
        let mut seen = self.0.borrow_mut();
        if seen.len() < MAX_NAMED && members.keys().any(|name| !known.contains(&name.as_str())) {
            seen.push((value, known));
        }
    }

    /// The unknown members of `body` in the recorded objects.
    pub(crate) fn unknown(&self, body: &Value) -> Unknown {
        let mut unknown = Unknown::default();
        if !self.0.borrow().is_empty() {
            self.find(body, &mut vec![], &mut unknown.0);
        }
        unknown
    }

    fn find(&self, value: &Value, path: &mut Vec<Step>, found: &mut Vec<Member>) {
        let mut visit = |step: Step, value: &Value, known: Option<&[&'static str]>| {
            path.push(step);
            if let (Some(known), Some(Step::Member(name))) = (known, path.last())
                && !known.contains(&name.as_str())
            {
                if found.len() < MAX_NAMED {
                    found.push(Member { path: path.clone(), nearest: nearest(name, known) });
                }
            } else {
                self.find(value, path, found);
            }
            path.pop();
        };
        match value {
            Value::Object(members) => {
                let noted = self.0.borrow();
                let noted = noted.iter().find(|(object, _)| std::ptr::eq(*object, value));
                let known = noted.map(|(_, known)| *known);
                for (name, value) in members {
                    visit(Step::Member(name.clone()), value, known);
                }
            }
            Value::Array(elements) => {
                for (index, value) in elements.iter().enumerate() {
                    visit(Step::Index(index), value, None);
                }
            }
            _ => {}
        }
    }
}

/// The first ten unknown members of a body.
#[derive(Debug, Default)]
pub struct Unknown(Vec<Member>);

#[derive(Debug)]
struct Member {
    path: Vec<Step>,
    nearest: Option<&'static str>,
}

impl Unknown {
    /// Refuses a body with unknown members.
    ///
    /// # Errors
    /// INVALID_ARGUMENT that names each of them, and the most similar known name.
    pub fn refuse(&self) -> Result<()> {
        let issue = |member: &Member| {
            let hint = member.nearest.map(|name| format!("; the nearest name is {name}"));
            let message = format!("is not known{}", hint.unwrap_or_default());
            Issue { path: member.path.clone(), code: IssueCode::UnknownMember, message }
        };
        let issues: Vec<Issue> = self.0.iter().map(issue).collect();
        if issues.is_empty() { Ok(()) } else { Err(refusal(&issues)) }
    }

    /// Paths of the members, separated by commas, in header characters; none when there are none.
    pub fn named(&self) -> Option<String> {
        let paths: Vec<String> =
            self.0.iter().map(|member| dotted(&member.path, in_header)).collect();
        (!paths.is_empty()).then(|| paths.join(","))
    }
}

/// A name for a header: all characters but letters, digits and `-_$@` are percent-encoded.
fn in_header(name: &str) -> String {
    let encode = |byte: u8| match byte {
        b'-' | b'_' | b'$' | b'@' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let shown: String = name.chars().take(MAX_SHOWN).collect();
    shown.bytes().map(encode).collect()
}

/// The known name with the fewest edits, ignoring case; names that end with it come first, such as
/// `activityIds` for `ids`.
pub fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name: String = name.chars().take(MAX_SHOWN).collect::<String>().to_lowercase();
    known.iter().copied().min_by_key(|known| {
        let known = known.to_lowercase();
        (!known.ends_with(&name), strsim::levenshtein(&name, &known))
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use crate::{Body, decode};

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[expect(dead_code, reason = "only what is not read counts")]
    struct Request {
        document_id: Option<String>,
        activity_ids: Option<Vec<String>>,
        resources: Option<Vec<Resource>>,
        metadata: Option<serde_json::Value>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only what is not read counts")]
    struct Resource {
        id: String,
    }

    fn named(body: &str) -> Option<String> {
        decode::<Request>(body.as_bytes(), Body::Optional).unwrap().1.named()
    }

    #[test]
    fn what_is_known_or_free_is_not_named() {
        assert_eq!(named(""), None);
        assert_eq!(named(r#"{"data":{"documentId":null,"metadata":{"x":{"y":1}}}}"#), None);
    }

    #[test]
    fn members_are_named_at_any_depth_in_letters_of_a_header() {
        let body = r#"{"data":{"resources":[{"id":"a"},{"id":"b","é,":null}],"x y":1},"z":2}"#;
        assert_eq!(named(body).unwrap(), "data.resources[1].%C3%A9%2C,data.x%20y,z");
        assert_eq!(named(r#"{"z":2}"#).unwrap(), "z", "also beside data that was left out");
        let members: Vec<String> = (10..99).map(|n| format!("\"m{n}\":{{}}")).collect();
        let many = named(&format!("{{\"data\":{{{}}}}}", members.join(","))).unwrap();
        assert_eq!(many.split(',').count(), 10);
        let long = named(&format!("{{\"{}\":1}}", "é".repeat(1000))).unwrap();
        assert_eq!(long, "%C3%A9".repeat(64));
    }

    #[test]
    fn a_refusal_names_the_member_and_the_known_one_nearest_to_it() {
        for (sent, nearest) in
            [("activityIDs", "activityIds"), ("ids", "activityIds"), ("document_id", "documentId")]
        {
            let body = format!("{{\"data\":{{\"{sent}\":[\"secret\"]}}}}");
            let (_, unknown) = decode::<Request>(body.as_bytes(), Body::Required).unwrap();
            let error = unknown.refuse().unwrap_err();
            let wanted = format!("data.{sent}: is not known; the nearest name is {nearest}.");
            assert_eq!(error.message, wanted);
            let details = error.details.unwrap();
            assert!(details.contains(&format!(r#""path":["data","{sent}"]"#)), "{details}");
            assert!(details.contains(r#""code":"unknown_member""#), "{details}");
            assert!(!details.contains("secret"), "{details}");
        }
    }
}
