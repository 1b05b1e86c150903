//! Letters for tests.

use model::Email;

use crate::{Address, DocumentPart, Item, Kind, Letter, Reason};

pub(crate) const AT: u64 = 1_795_161_600_123;

pub(crate) fn address(email: &str, name: &str) -> Address {
    Address { email: Email::try_from(email.to_owned()).unwrap(), name: Some(name.to_owned()) }
}

pub(crate) fn item(quote: &str) -> Item {
    Item {
        actor_name: "Ann Lee".to_owned(),
        action: "commented".to_owned(),
        is_comment: true,
        quote: Some(quote.to_owned()),
        link: Some("https://app.test/d?c=1&x=2".to_owned()),
        at: AT,
    }
}

fn part((name, count): &(&str, usize)) -> DocumentPart {
    DocumentPart {
        id: model::template::one_line(&format!("id of {name}")).try_into().unwrap(),
        name: (*name).to_owned(),
        link: Some("https://app.test/d".to_owned()),
        items: (1..=*count).map(|n| item(&format!("quote {n}."))).collect(),
        more: 0,
    }
}

pub(crate) fn digest(documents: &[(&str, usize)]) -> Letter {
    Letter {
        id: "01JD0000000000000000000000".to_owned(),
        at: AT,
        to: address("bob@x.test", "Bob"),
        from: address("noreply@acme.test", "Ann Lee via Acme"),
        reply_to: None,
        host: "rt.acme.test".to_owned(),
        api_key: "key".to_owned().try_into().unwrap(),
        organization_id: "org".to_owned().try_into().unwrap(),
        kind: Kind::Digest,
        preheader: "Ann Lee commented".to_owned(),
        documents: documents.iter().map(part).collect(),
        reason: Reason::Mention,
        unsubscribe_url: "https://rt.acme.test/u/k1.abc.def".to_owned(),
        include_contents: true,
    }
}

pub(crate) fn thread() -> Letter {
    let kind = Kind::Thread {
        document_id: "id of Plan".to_owned().try_into().unwrap(),
        annotation_id: "a1".to_owned().try_into().unwrap(),
        document_name: "Plan".to_owned(),
    };
    Letter { kind, ..digest(&[("Plan", 1)]) }
}
