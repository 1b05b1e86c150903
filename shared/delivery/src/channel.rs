//! Channels, and reasons for drops.

use std::ops::BitAnd;

use serde::{Deserialize, Serialize};

/// A channel of a notification (spec 2.15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// In the product.
    Inbox,
    /// By mail.
    Email,
    /// By chat.
    Chat,
}

impl Channel {
    /// Every channel.
    pub const ALL: [Self; 3] = [Self::Inbox, Self::Email, Self::Chat];
}

/// A set of channels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Channels {
    /// In the product.
    pub inbox: bool,
    /// By mail.
    pub email: bool,
    /// By chat; false where no chat integration is configured.
    pub chat: bool,
}

impl Channels {
    /// All channels.
    pub const ALL: Self = Self { inbox: true, email: true, chat: true };

    /// Whether it contains a channel.
    pub const fn has(self, channel: Channel) -> bool {
        match channel {
            Channel::Inbox => self.inbox,
            Channel::Email => self.email,
            Channel::Chat => self.chat,
        }
    }

    /// Whether it is empty.
    pub const fn is_empty(self) -> bool {
        !(self.inbox || self.email || self.chat)
    }

    /// The selected ones.
    pub fn iter(self) -> impl Iterator<Item = Channel> {
        Channel::ALL.into_iter().filter(move |channel| self.has(*channel))
    }

    /// All others.
    #[must_use]
    pub const fn without(mut self, channel: Channel) -> Self {
        match channel {
            Channel::Inbox => self.inbox = false,
            Channel::Email => self.email = false,
            Channel::Chat => self.chat = false,
        }
        self
    }
}

impl BitAnd for Channels {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self {
            inbox: self.inbox && other.inbox,
            email: self.email && other.email,
            chat: self.chat && other.chat,
        }
    }
}

/// The reason for dropping an activity, or a channel of it (decisions 4, trace).
///
/// If several apply, the first in this order is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The comment, thread, document or recipient was deleted.
    Deleted,
    /// The recipient lost access.
    NoAccess,
    /// The recipient has seen it.
    Seen,
    /// The service was switched off.
    ServiceOff,
    /// The trigger of the channel was off at the event.
    TriggerOff,
    /// The preference of the recipient.
    Muted,
    /// The address is suppressed: it bounced or complained earlier.
    Suppressed,
    /// The mail was refused.
    Bounced,
}

impl Reason {
    /// Whether it drops an activity at the end of the delay (rule N7); the others are decided at
    /// delivery (rules N4, N11, N13).
    pub const fn is_final_at_due(self) -> bool {
        matches!(self, Self::Deleted | Self::NoAccess | Self::Seen)
    }
}
