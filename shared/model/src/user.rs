//! Users (spec 2.10). A user is a member of an organization, a document or a folder; each
//! membership has a profile of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Email, UserId,
    access::{AccessRole, Level},
    set_some,
};

/// What callers may say of a user.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// Display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// E-mail address, for notifications.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<Email>,
    /// Picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo_url: Option<String>,
    /// Color of cursor and avatar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Color of text on `color`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_color: Option<String>,
    /// Letter of the avatar; the first of `name` unless sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial: Option<String>,
    /// Kind of user, such as `signedIn`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Plan of the caller's product.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// Whether the user may only read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_read_only: Option<bool>,
    /// Whether the user is not known by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_anonymous: Option<bool>,
    /// Whether the user is a guest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_guest: Option<bool>,
    /// Whether the user administers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_admin: Option<bool>,
}

impl Profile {
    /// Takes over what was sent; `initial` follows the name until it is set itself.
    pub fn merge(&mut self, sent: Self) {
        set_some(&mut self.name, sent.name);
        set_some(&mut self.email, sent.email);
        set_some(&mut self.photo_url, sent.photo_url);
        set_some(&mut self.color, sent.color);
        set_some(&mut self.text_color, sent.text_color);
        set_some(&mut self.initial, sent.initial);
        set_some(&mut self.kind, sent.kind);
        set_some(&mut self.plan, sent.plan);
        set_some(&mut self.is_read_only, sent.is_read_only);
        set_some(&mut self.is_anonymous, sent.is_anonymous);
        set_some(&mut self.is_guest, sent.is_guest);
        set_some(&mut self.is_admin, sent.is_admin);
        if self.initial.is_none() {
            let first = self.name.as_deref().and_then(|name| name.trim().chars().next());
            self.initial = first.map(|letter| letter.to_uppercase().collect());
        }
    }
}

/// A user as stored at one level.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The caller's id.
    pub user_id: UserId,
    /// Where the user is a member.
    pub level: Level,
    /// What the user may do there.
    #[serde(default)]
    pub access_role: AccessRole,
    /// What is known of the user.
    pub profile: Profile,
}
