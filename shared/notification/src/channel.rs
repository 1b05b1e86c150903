//! A set of channels.

use std::ops::BitAnd;

use model::trace::Channel;
use serde::{Deserialize, Serialize};

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
