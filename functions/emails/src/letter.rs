//! The content of a mail, derived from its notification.

use std::collections::BTreeMap;

use mail::{Address, DocumentPart, Item, Kind, Letter, Reason, Scope, Unsubscribe};
use model::{
    ApiKeyId, Email, Label,
    event::EventType,
    notice::{Contents, Headline, NoticeEntry},
    template::{Dialect, Sink, Values, render},
    user::Person,
};
use service::{Keyring, prelude::*};

use crate::optout;

/// Everything of a mail except its entries.
pub(crate) struct Frame<'a> {
    pub(crate) id: &'a str,
    pub(crate) topic: Option<&'a str>,
    pub(crate) reason: Reason,
    pub(crate) to: Email,
    pub(crate) from: Email,
    pub(crate) reply_to: Option<Address>,
    pub(crate) company: &'a str,
    pub(crate) public_url: &'a str,
    pub(crate) keyring: &'a Keyring,
    pub(crate) api_key: &'a ApiKeyId,
}

/// Prefix of the headline of an activity, unless the caller set one.
const ACTOR: &str = "{actionUser} ";

impl Frame<'_> {
    /// The mail for a notification.
    pub(crate) fn around(self, contents: &Contents) -> Letter {
        let entries = contents.entries.as_slice();
        let documents = documents(contents);
        let actors: Vec<String> = entries.iter().map(|entry| name(entry.actor.as_ref())).collect();
        let sender = mail::sender_name(actors.iter().map(String::as_str), self.company);
        let unsubscribe_url = format!("{}/u/{}", self.public_url, self.token(contents, &documents));
        Letter {
            id: self.id.to_owned(),
            at: contents.at,
            to: Address { email: self.to, name: contents.recipient.name.clone().map(String::from) },
            from: Address { email: self.from, name: Some(sender) },
            reply_to: self.reply_to,
            host: host(self.public_url).to_owned(),
            api_key: self.api_key.clone(),
            organization_id: contents.organization_id.clone(),
            kind: kind(contents, self.topic),
            preheader: contents.headline().text(Sink::Plain),
            documents,
            reason: self.reason,
            unsubscribe_url,
            include_contents: true,
        }
    }

    /// The scope of the unsubscribe link: the subject of the mail.
    fn token(&self, contents: &Contents, documents: &[DocumentPart]) -> String {
        let scope = match documents {
            [only] => Scope::Document(only.id.clone()),
            _ => Scope::Organization,
        };
        let unsubscribe = Unsubscribe {
            api_key: self.api_key.clone(),
            organization_id: contents.organization_id.clone(),
            user_id: contents.recipient.user_id.clone(),
            address: Some(optout::of_address(&self.to)),
            scope,
        };
        mail::token(self.keyring, &unsubscribe)
    }
}

/// The host of a URL, without its port.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', ':', '?', '#']).next().unwrap_or_default()
}

fn name(person: Option<&Person>) -> String {
    let name = person.and_then(|person| person.name.as_ref()).map_or("", Label::as_str);
    if name.trim().is_empty() { "Somebody" } else { name }.to_owned()
}

fn kind(contents: &Contents, topic: Option<&str>) -> Kind {
    let [only] = contents.entries.as_slice() else { return Kind::Digest };
    match (&only.own, &only.annotation_id) {
        (Some(own), _) => {
            let values = Values::new().then(&own.display_body_message_template_data);
            let template = own.display_body_message_template.as_deref();
            let body = template.map(|text| render(text, Dialect::Braces, &values, Sink::Plain));
            Kind::Custom {
                subject: contents.headline().text(Sink::Plain),
                body: own.display_body_message.clone().or(body),
            }
        }
        (None, Some(thread)) => Kind::Thread {
            document_id: only.document_id.clone(),
            annotation_id: thread.clone(),
            document_name: topic.unwrap_or(&only.document_name).to_owned(),
        },
        (None, None) => Kind::Digest,
    }
}

/// The entries by document, in the order of their first entry.
fn documents(contents: &Contents) -> Vec<DocumentPart> {
    let mut order: Vec<&DocumentId> = Vec::new();
    let mut parts: BTreeMap<&DocumentId, DocumentPart> = BTreeMap::new();
    for entry in &contents.entries {
        let id = &entry.document_id;
        let part = parts.entry(id).or_insert_with(|| {
            order.push(id);
            let (name, link) = (entry.document_name.clone(), entry.page_url.clone());
            DocumentPart { id: id.clone(), name, link, items: vec![], more: 0 }
        });
        // A single custom message already has its own subject and body.
        if entry.own.is_none() || contents.entries.len() > 1 {
            part.items.push(item(entry, &contents.recipient));
        }
    }
    order.into_iter().filter_map(|id| parts.remove(id)).collect()
}

fn item(entry: &NoticeEntry, recipient: &Person) -> Item {
    let headline = Headline::of_one(entry, recipient);
    let template = headline.template.strip_prefix(ACTOR).unwrap_or(&headline.template).to_owned();
    let kinds = [EventType::AnnotationAdd, EventType::CommentAdd];
    Item {
        actor_name: name(entry.actor.as_ref()),
        action: Headline { template, ..headline }.text(Sink::Plain),
        is_comment: kinds.contains(&entry.kind),
        quote: entry.snippet.clone(),
        link: entry.page_url.clone(),
        at: entry.at,
    }
}
