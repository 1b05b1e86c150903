//! Display of people, comments and pages.

use delivery::Activity;
use model::{
    Label, UserId,
    comment::{Annotation, Comment},
    notice::Entry,
    template::excerpt,
    user::{Person, User},
};

/// The displayed value of a member.
pub(crate) fn person(member: &User) -> Person {
    let profile = member.profile.clone().shown();
    Person {
        name: profile.name,
        email: profile.email,
        photo_url: profile.photo_url,
        color: profile.color,
        text_color: profile.text_color,
        initial: profile.initial,
        ..Person::of(member.user_id.clone())
    }
}

pub(super) fn named_in(thread: &Annotation, user: &UserId) -> Option<Person> {
    let comments = &thread.comments;
    let authors = comments.iter().map(|comment| comment.from.clone());
    let mentioned = comments.iter().flat_map(Comment::mentioned);
    let reactors = comments.iter().flat_map(|comment| &comment.reactions);
    let reactors = reactors.flat_map(|reaction| &reaction.from_users).map(|by| by.from.clone());
    let subscribed = thread.subscribed.values().map(|it| it.user.clone());
    let others = thread.assigned_to.clone().into_iter().chain([thread.from.clone()]);
    let mut all = authors.chain(others).chain(reactors).chain(mentioned).chain(subscribed);
    all.find(|person| person.user_id == *user)
}

/// The quoted comment: that of the event, or the first of the thread.
pub(super) fn about<'a>(activity: &Activity, thread: &'a Annotation) -> Option<&'a Comment> {
    match activity.comment_id {
        Some(id) => thread.comment(id),
        None => thread.comments.first(),
    }
}

/// The beginning of a comment, with names for mentions.
pub(super) fn snippet(comment: &Comment) -> Option<String> {
    let text = comment.comment_text.as_deref()?;
    let people: Vec<Person> = comment.mentioned().collect();
    let names = people.iter().map(|person| {
        let id = person.user_id.as_str();
        (id, person.name.as_ref().map_or(id, Label::as_str))
    });
    let names: Vec<(&str, &str)> = names.collect();
    Some(excerpt(text, &names, Entry::MAX_SNIPPET))
}

/// The page of a thread; only URLs that a browser opens.
pub(super) fn page_url(thread: &Annotation) -> Option<String> {
    let info = thread.page_info.as_ref()?;
    let found = ["commentUrl", "url"].iter().find_map(|name| info.get(*name)?.as_str());
    let is_page = |url: &&str| url.starts_with("https://") || url.starts_with("http://");
    found.filter(is_page).map(str::to_owned)
}
