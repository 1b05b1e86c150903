//! Replies to transactions, by client token.

use std::collections::{HashMap, VecDeque};

use dynoxide::DynoxideError;
use serde_json::Value;

/// Retention of a token, in milliseconds, as in AWS.
const REMEMBERED: u64 = 10 * 60 * 1000;

/// Replies by token. Expired ones are dropped from the front of the queue, so that the cost of a
/// call does not depend on their number.
#[derive(Default)]
pub(super) struct Tokens {
    replies: HashMap<String, (u64, Value)>,
    ages: VecDeque<(u64, String)>,
}

impl Tokens {
    /// The reply for the token, if it was used for the same actions. Replaying consumes no
    /// capacity, so the reply has none.
    pub(super) fn reply(
        &mut self,
        token: &str,
        actions: u64,
        now: u64,
    ) -> Result<Option<Value>, DynoxideError> {
        while let Some((at, token)) = self.ages.front()
            && at + REMEMBERED <= now
        {
            self.replies.remove(token);
            self.ages.pop_front();
        }
        match self.replies.get(token) {
            None => Ok(None),
            Some((same, reply)) if *same == actions => Ok(Some(reply.clone())),
            Some(_) => {
                let message = "An error occurred (IdempotentParameterMismatchException)";
                Err(DynoxideError::IdempotentParameterMismatchException(message.to_owned()))
            }
        }
    }

    pub(super) fn keep(&mut self, token: String, actions: u64, reply: &Value, now: u64) {
        let mut reply = reply.clone();
        if let Some(members) = reply.as_object_mut() {
            members.remove("ConsumedCapacity");
        }
        self.replies.insert(token.clone(), (actions, reply));
        self.ages.push_back((now, token));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_token_is_remembered_for_ten_minutes_and_for_its_actions_alone() {
        let mut tokens = Tokens::default();
        assert_eq!(tokens.reply("a", 1, 0).unwrap(), None);
        tokens.keep("a".into(), 1, &json!({ "ConsumedCapacity": [], "Other": 1 }), 0);
        assert_eq!(tokens.reply("a", 1, REMEMBERED - 1).unwrap(), Some(json!({ "Other": 1 })));
        assert!(tokens.reply("a", 2, REMEMBERED - 1).is_err());
        assert_eq!(tokens.reply("a", 2, REMEMBERED).unwrap(), None);
        assert!(tokens.replies.is_empty() && tokens.ages.is_empty());
    }
}
