//! The channels of what happened in a document, by which an endpoint says where it listens
//! (decision 16).

use model::{event::DomainEvent, webhook_endpoint::Channel};
use service::{Error, Result, sha256_hex};

/// Those of the organization and of the document.
pub(crate) fn of(event: &DomainEvent) -> Result<Vec<Channel>> {
    let organization = channel("organization", event.organization_id.as_str())?;
    Ok(vec![organization, channel("document", event.document_id.as_str())?])
}

/// The id as it stands, behind what it is an id of, so that no document poses as an organization.
/// One that cannot be part of a channel is told by its digest, behind a colon, so that no other id
/// poses as it.
fn channel(of: &str, id: &str) -> Result<Channel> {
    let digest = || Channel::try_from(format!("{of}:{}", sha256_hex(id)));
    let channel = Channel::try_from(format!("{of}.{id}")).or_else(|_| digest());
    channel.map_err(|error| Error::internal(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::channel;

    #[test]
    fn every_id_has_a_channel_of_its_own() {
        let of = |id: &str| channel("document", id).unwrap().as_str().to_owned();
        assert_eq!(of("Q3_plan-2.a:b"), "document.Q3_plan-2.a:b");
        let digest = "7509e5bda0c762d2bac7f90d758b5b2263fa01ccbc542ab5e3df163be08e6ca9";
        assert_eq!(of("hello world!"), format!("document:{digest}"));
        assert_ne!(of(&format!(":{digest}")), of("hello world!"));
        let longest = "x".repeat(128 - "document.".len());
        assert_eq!(of(&longest), format!("document.{longest}"));
        for id in ["é", "a/b", "🙂", &"x".repeat(256), &format!("{longest}x")] {
            assert!(of(id).starts_with("document:") && of(id).len() == 73, "{id}");
        }
    }
}
