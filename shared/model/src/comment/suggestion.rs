use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Refusal;
use crate::{
    Metadata, Millis,
    people::{Names, People, Rest, members},
};

/// The outcome of a suggestion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SuggestionStatus {
    /// Undecided.
    #[default]
    Pending,
    /// Accepted.
    Accepted,
    /// Rejected.
    Rejected,
}

/// Members that record the decision on a suggestion, besides its status.
const OF_DECISION: [&str; 3] = ["resolvedAt", "resolvedBy", "rejectReason"];

/// A suggestion as sent, with custom members.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[schemars(rename = "NewSuggestion")]
pub struct SentSuggestion {
    /// Outcome of the suggestion; `pending` for a new one.
    status: Option<SuggestionStatus>,
    #[serde(flatten)]
    members: Metadata,
}

/// The suggestion of a thread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Suggestion {
    /// Outcome of the suggestion.
    pub status: SuggestionStatus,
    /// Custom members, and `resolvedAt`.
    #[serde(flatten)]
    pub members: Metadata,
}

impl Names for Suggestion {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self { status: _, members: custom } = self;
        members(walk, custom);
        Rest::Stays
    }
}

impl Suggestion {
    /// A new suggestion, which is pending whatever was sent.
    pub fn new(sent: Option<SentSuggestion>) -> Self {
        let members = sent.map(|sent| sent.members).unwrap_or_default();
        Self { status: SuggestionStatus::Pending, members }
    }

    /// Replaces the suggestion; what only decides it keeps the rest. A decision is final; repeating
    /// it changes nothing.
    ///
    /// # Errors
    /// When it was decided differently.
    pub fn replace(&mut self, sent: SentSuggestion, now: Millis) -> Result<(), Refusal> {
        let status = sent.status.unwrap_or(self.status);
        let was_decided = self.status != SuggestionStatus::Pending;
        if was_decided && status != self.status {
            return Err("The suggestion was decided already.");
        }
        let decides_only = sent.members.keys().all(|name| OF_DECISION.contains(&name.as_str()));
        let before = std::mem::replace(&mut self.members, sent.members);
        let is_decided = status != SuggestionStatus::Pending;
        for (name, value) in before {
            let is_of_decision = OF_DECISION.contains(&name.as_str());
            if if is_of_decision { was_decided } else { decides_only } {
                self.members.entry(name).or_insert(value);
            }
        }
        if is_decided {
            self.members.entry("resolvedAt").or_insert_with(|| now.into());
        }
        self.status = status;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json, to_value};

    use super::{SentSuggestion, Suggestion};

    fn sent(json: Value) -> SentSuggestion {
        from_value(json).unwrap()
    }

    #[test]
    fn a_new_one_is_pending() {
        let new = Suggestion::new(Some(sent(json!({ "status": "accepted", "newValue": 1 }))));
        assert_eq!(to_value(new).unwrap(), json!({ "status": "pending", "newValue": 1 }));
        assert_eq!(to_value(Suggestion::new(None)).unwrap(), json!({ "status": "pending" }));
    }

    #[test]
    fn a_decision_is_final_and_may_be_repeated() {
        let mut suggestion = Suggestion::new(Some(sent(json!({ "newValue": 1 }))));
        suggestion.replace(sent(json!({ "newValue": 2 })), 4).unwrap();
        suggestion.replace(sent(json!({ "status": "rejected", "rejectReason": "no" })), 5).unwrap();
        let rejected = json!({
            "status": "rejected", "rejectReason": "no", "resolvedAt": 5, "newValue": 2,
        });
        assert_eq!(to_value(&suggestion).unwrap(), rejected);
        for status in ["pending", "accepted"] {
            assert!(suggestion.replace(sent(json!({ "status": status })), 6).is_err());
        }
        suggestion.replace(sent(json!({ "status": "rejected" })), 7).unwrap();
        assert_eq!(to_value(&suggestion).unwrap(), rejected);
    }

    #[test]
    fn what_only_decides_keeps_what_is_suggested_and_other_members_replace_it() {
        let new = json!({ "newValue": 1, "oldValue": 0, "targetId": "t" });
        let mut suggestion = Suggestion::new(Some(sent(new)));
        suggestion.replace(sent(json!({ "newValue": 2 })), 4).unwrap();
        assert_eq!(to_value(&suggestion).unwrap(), json!({ "status": "pending", "newValue": 2 }));
        let by = json!({ "userId": "bob" });
        suggestion.replace(sent(json!({ "status": "accepted", "resolvedBy": by })), 5).unwrap();
        let accepted =
            json!({ "status": "accepted", "newValue": 2, "resolvedBy": by, "resolvedAt": 5 });
        assert_eq!(to_value(&suggestion).unwrap(), accepted);
    }
}
