//! Resources of rights, as sent (contract `permissions`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Bounded, DocumentId, FolderId, Millis, OrganizationId, ResourceId,
    permissions::{AccessRole, Level},
};

/// Epoch seconds up to the year 9999, to reject milliseconds.
type Seconds = Bounded<1, 253_402_300_799>;

/// An organization or a resource in it, with the role of a user.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Sent", into = "Sent")]
#[schemars(rename = "ResourcePermission")]
pub struct Resource {
    /// The organization.
    pub organization_id: OrganizationId,
    /// The level.
    pub level: Level,
    /// The granted role.
    pub access_role: AccessRole,
    /// Expiry in epoch **seconds**; never when absent.
    pub expires_at: Option<u64>,
}

impl Resource {
    /// The fault of the id, if any. A right to a resource with a faulty id can only be removed.
    pub fn fault(&self) -> Option<&'static str> {
        let id = match &self.level {
            Level::Organization => self.organization_id.as_str(),
            Level::Folder(id) if id.is_root() => {
                return Some("root names the top, to which nobody has a right");
            }
            Level::Folder(id) => id.as_str(),
            Level::Document(id) => id.as_str(),
        };
        id.trim().is_empty().then_some("must not be blank")
    }

    /// Whether it has expired.
    pub fn is_over(&self, now: Millis) -> bool {
        self.expires_at.is_some_and(|seconds| seconds.saturating_mul(1000) <= now)
    }
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "ResourceType")]
enum Kind {
    Organization,
    Folder,
    Document,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ResourcePermission")]
struct Sent {
    /// Kind of the resource.
    #[serde(rename = "type")]
    kind: Kind,
    /// Id of the resource.
    id: ResourceId,
    /// Organization of the resource; required for folders and documents.
    organization_id: Option<OrganizationId>,
    /// The granted role; `editor` when absent.
    access_role: Option<AccessRole>,
    /// Expiry in epoch seconds; never when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<Seconds>,
}

impl TryFrom<Sent> for Resource {
    type Error = &'static str;

    fn try_from(sent: Sent) -> Result<Self, Self::Error> {
        // The wording of serde, so that it is reported like any other missing member.
        let within = sent.organization_id.ok_or("missing field `organizationId`");
        let (organization_id, level) = match sent.kind {
            Kind::Organization => (sent.id.into(), Level::Organization),
            Kind::Folder => (within?, Level::Folder(FolderId::from(sent.id))),
            Kind::Document => (within?, Level::Document(DocumentId::from(sent.id))),
        };
        let access_role = sent.access_role.unwrap_or_default();
        Ok(Self {
            organization_id,
            level,
            access_role,
            expires_at: sent.expires_at.map(Bounded::get),
        })
    }
}

impl From<Resource> for Sent {
    fn from(resource: Resource) -> Self {
        let Resource { organization_id, level, access_role, expires_at } = resource;
        let (kind, id) = match level {
            Level::Organization => (Kind::Organization, organization_id.clone().into()),
            Level::Folder(id) => (Kind::Folder, id.into()),
            Level::Document(id) => (Kind::Document, id.into()),
        };
        let expires_at = expires_at.map(Bounded::nearest);
        let (organization_id, access_role) = (Some(organization_id), Some(access_role));
        Self { kind, id, organization_id, access_role, expires_at }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Resource;

    fn read(json: Value) -> Result<Resource, String> {
        serde_json::from_value(json).map_err(|error| error.to_string())
    }

    #[test]
    fn what_lies_in_an_organization_must_say_in_which() {
        assert!(read(json!({ "type": "organization", "id": "o" })).is_ok());
        for kind in ["folder", "document"] {
            let refused = read(json!({ "type": kind, "id": "x" })).unwrap_err();
            assert_eq!(refused, "missing field `organizationId`");
            assert!(read(json!({ "type": kind, "id": "x", "organizationId": "o" })).is_ok());
        }
    }

    #[test]
    fn it_is_written_as_it_is_read() {
        let sent = json!({
            "type": "folder", "id": "f", "organizationId": "o", "accessRole": "viewer",
            "expiresAt": 1_800_000_000
        });
        assert_eq!(serde_json::to_value(read(sent.clone()).unwrap()).unwrap(), sent);
        let bare =
            serde_json::to_value(read(json!({ "type": "organization", "id": "o" })).unwrap());
        let full = json!({
            "type": "organization", "id": "o", "organizationId": "o", "accessRole": "editor"
        });
        assert_eq!(bare.unwrap(), full);
    }

    #[test]
    fn milliseconds_are_no_seconds_and_the_present_is_over() {
        let ending = |at: u64| read(json!({ "type": "organization", "id": "o", "expiresAt": at }));
        assert!(ending(1_800_000_000_000).is_err());
        assert!(ending(0).is_err());
        let resource = ending(10).unwrap();
        assert!(!resource.is_over(9_999));
        assert!(resource.is_over(10_000));
    }
}
