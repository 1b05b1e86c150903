//! Histories as code, to be pasted into a test.

use super::history::{History, Step};

/// The steps of a history, one in each line, as expressions of its types.
pub(super) fn of(history: &History) -> String {
    let steps = history.steps.iter().map(|step| format!("    {},\n", code(step)));
    format!("history![KeyKind::{:?};\n{}]", history.kind, steps.collect::<String>())
}

/// The `Debug` text of a step, with the types of its variants.
fn code(step: &Step) -> String {
    let shown = format!("{step:?}");
    let (mut code, mut rest) = (String::new(), shown.as_str());
    let mut place = Place::default();
    while let Some(first) = rest.chars().next() {
        if !first.is_ascii_alphanumeric() {
            code.push_str(if first == '[' { "vec![" } else { &rest[..first.len_utf8()] });
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
        if let Some(kind) = place.kind_of(word, behind, code.ends_with("Some(")) {
            code.push_str(kind);
            code.push_str("::");
        }
        code.push_str(word);
        rest = behind;
    }
    code
}

/// Where a word stands.
#[derive(Default)]
struct Place {
    step: String,
    call: String,
    has_actor: bool,
}

impl Place {
    /// The type of a variant, if the word is one.
    fn kind_of(&mut self, word: &str, behind: &str, is_in_some: bool) -> Option<&'static str> {
        if self.step.is_empty() {
            word.clone_into(&mut self.step);
            return Some("Step");
        }
        match (self.step.as_str(), word) {
            ("Work" | "Kill", word) => return is_name(word).then_some("Source"),
            ("Fault", word) => return is_name(word).then_some("Fails"),
            ("Call" | "Begin", "Server" | "Holder") if !self.has_actor => {
                self.has_actor = true;
                return Some("Actor");
            }
            ("Call" | "Begin", word) if self.call.is_empty() && word != "Tok" && is_name(word) => {
                word.clone_into(&mut self.call);
                return Some("Call");
            }
            _ => {}
        }
        let call = self.call.as_str();
        Some(match word {
            "Ada" | "Bob" | "Eve" | "Stranger" => "User",
            "Threads" | "Live" | "Presence" | "Editor" if call == "Read" => "What",
            "Viewer" | "Commenter" | "Editor" => "Role",
            "Public" | "Organization" | "Only" if call == "Thread" => "Visibility",
            "Public" | "OrganizationPrivate" | "Restricted" => "Access",
            "Organization" | "Document" => "Level",
            "Folder" if behind.starts_with("(Folder(") => "Level",
            "User" | "Group" => "Holder",
            "All" | "Mine" => "Want",
            "None" if is_in_some => "Want",
            _ => return None,
        })
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
}
