//! Display of people, comments and pages.

use model::{
    UserId,
    api_key::ApiKey,
    comment::{Comment, Subscription, SubscriptionType, Thread, is_page},
    document::Document,
    notice::NoticeEntry,
    template::excerpt,
    user::Person,
};
use notification::Activity;

use crate::notifications::profiles::{Profiles, names_in};

/// A user as the thread names them, preferably with an address. Profiles that end users give of
/// others are left out: they could name any address.
pub(super) fn named_in(thread: &Thread, user: &UserId) -> Option<Person> {
    let (comments, is_vouched) = (&thread.comments, thread.is_vouched(user));
    let authors = comments.iter().map(|comment| comment.from.clone());
    let mentioned = comments.iter().flat_map(Comment::mentioned).filter(|_| is_vouched);
    let reactors = comments.iter().flat_map(|comment| &comment.reactions);
    let reactors = reactors.flat_map(|reaction| &reaction.from_users).map(|by| by.from.clone());
    let by_themselves =
        |subscription: &&Subscription| is_vouched || subscription.kind == SubscriptionType::Manual;
    let subscribed = thread
        .subscribed
        .get(user)
        .filter(by_themselves)
        .map(|subscription| subscription.user.clone());
    let others = thread.assigned_to.clone().into_iter().chain([thread.from.clone()]);
    let all = authors.chain(others).chain(reactors).chain(subscribed).chain(mentioned);
    let found: Vec<Person> = all.filter(|person| person.user_id == *user).collect();
    found.iter().find(|person| person.address().is_some()).or(found.first()).cloned()
}

/// The quoted comment: that of the event, or the first of the thread.
pub(super) fn about<'a>(activity: &Activity, thread: &'a Thread) -> Option<&'a Comment> {
    match activity.comment_id {
        Some(id) => thread.comment(id),
        None => thread.comments.first(),
    }
}

/// The beginning of a comment, with names for mentions.
pub(super) fn snippet(comment: &Comment, profiles: &Profiles) -> Option<String> {
    let text = comment.comment_text.as_deref()?;
    let people: Vec<Person> = comment.mentioned().collect();
    Some(excerpt(text, &names_in(&people, profiles), NoticeEntry::MAX_SNIPPET))
}

/// The page of a thread, or else that of its document, which only the tenant's server sets.
pub(super) fn page_url(thread: &Thread, document: &Document, key: &ApiKey) -> Option<String> {
    let of_document = || document.metadata.get("url")?.as_str().filter(|url| is_page(url));
    thread.page_link(key).or_else(of_document).map(str::to_owned)
}
