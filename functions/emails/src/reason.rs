//! The reason why a recipient gets a mail.

use mail::Reason;
use model::{
    event::EventType,
    notice::{Contents, NoticeEntry},
    user::Person,
};
use serde_json::Value;

/// The strongest reason.
pub(crate) fn of(contents: &Contents) -> Reason {
    let entries = contents.entries.as_slice();
    let any = |is: &dyn Fn(&NoticeEntry) -> bool| entries.iter().any(is);
    if any(&|entry| entry.is_mention) {
        Reason::Mention
    } else if any(&|entry| is_assignment(entry, &contents.recipient)) {
        Reason::Assign
    } else if any(&|entry| entry.own.is_some()) {
        Reason::Custom
    } else if any(&|entry| entry.is_direct && !entry.is_subscriber) {
        Reason::Reply
    } else if any(&|entry| entry.is_direct) {
        Reason::Subscribed
    } else {
        Reason::All
    }
}

fn is_assignment(entry: &NoticeEntry, recipient: &Person) -> bool {
    let assignee = entry.values.get("assignee").and_then(|assignee| assignee.get("userId"));
    entry.kind == EventType::AnnotationAssign
        && assignee.and_then(Value::as_str) == Some(recipient.user_id.as_str())
}
