use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Declares texts with a rule. `#[schemars(inline, description = "")]` is for types whose name adds
/// nothing to the member's.
macro_rules! texts {
    ($(
        $(#[doc = $doc:literal])+
        $(#[schemars($($shape:tt)+)])?
        $name:ident { $(#[$schema:meta])* } $check:expr;
    )+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(!try_from, !into $(, $($shape)+)?)]
        pub struct $name($(#[$schema])* String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = &'static str;
            fn try_from(text: String) -> Result<Self, &'static str> {
                let check: fn(&str) -> Result<(), &'static str> = $check;
                check(&text).map(|()| Self(text))
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}

pub(crate) use texts;

texts! {
    /// A display name or other short text: 1 to 1000 characters, not blank.
    #[schemars(inline, description = "")]
    Text { #[schemars(length(min = 1, max = 1000), regex(pattern = r"\S"))] } |text| {
        if text.trim().is_empty() {
            return Err("must not be blank");
        }
        if text.chars().count() > 1000 { Err("must be at most 1000 characters") } else { Ok(()) }
    };
    /// Free text of at most 4000 characters.
    #[schemars(inline, description = "")]
    Description { #[schemars(length(max = 4000))] } |text| {
        if text.chars().count() > 4000 { Err("must be at most 4000 characters") } else { Ok(()) }
    };
    /// The name of a workspace or of its owner: 1 to 200 characters, not blank.
    #[schemars(inline, description = "")]
    Name { #[schemars(length(min = 1, max = 200), regex(pattern = r"\S"))] } |text| {
        if text.trim().is_empty() {
            return Err("must not be blank");
        }
        if text.chars().count() > 200 { Err("must be at most 200 characters") } else { Ok(()) }
    };
    /// A text of at most 1000 characters, which may be empty.
    #[schemars(inline, description = "")]
    Label { #[schemars(length(max = 1000))] } |text| {
        if text.chars().count() > 1000 { Err("must be at most 1000 characters") } else { Ok(()) }
    };
    /// The status of a user in a document, such as `online`: 1 to 64 characters.
    #[schemars(inline, description = "")]
    PresenceStatus { #[schemars(length(min = 1, max = 64))] } |text| {
        if (1..=64).contains(&text.chars().count()) { Ok(()) } else { Err("must be 1 to 64 characters") }
    };
    /// An http(s) URL of at most 2000 characters, or nothing: an empty text unsets it.
    #[schemars(inline, description = "")]
    Url { #[schemars(length(max = 2000), regex(pattern = r"^(https?://[^\s/]\S*)?$"))] } |text| {
        if text.is_empty() || (is_web_url(text) && text.chars().count() <= 2000) {
            Ok(())
        } else {
            Err("must be an http(s) URL of at most 2000 characters")
        }
    };
    /// An e-mail address.
    #[schemars(inline, description = "")]
    Email { #[schemars(length(max = 254), extend("format" = "email"))] } |text| {
        let valid = text.len() <= 254
            && text.rsplit_once('@').is_some_and(|(_, domain)| domain.contains('.'))
            && email_address::EmailAddress::from_str(text)
                .is_ok_and(|address| address.display_part().is_empty());
        if valid { Ok(()) } else { Err("must be a valid email address") }
    };
    /// The e-mail address of a person, of at most 1000 characters: as sent, in any form. An empty text
    /// is none, and no mail goes to one that is not valid.
    #[schemars(inline, description = "")]
    PersonEmail { #[schemars(length(max = 1000))] } |text| {
        if text.chars().count() > 1000 { Err("must be at most 1000 characters") } else { Ok(()) }
    };
    /// Text on one line, possibly empty: at most 1000 characters, none of them a control character.
    #[schemars(inline, description = "")]
    Line { #[schemars(length(max = 1000), regex(pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))] } |text| {
        if text.contains(char::is_control) {
            return Err("must not contain control characters");
        }
        if text.chars().count() > 1000 { Err("must be at most 1000 characters") } else { Ok(()) }
    };
    /// An e-mail address to send from, or nothing: an empty text unsets it.
    #[schemars(inline, description = "")]
    Sender { #[schemars(length(max = 254))] } |text| {
        if text.is_empty() { Ok(()) } else { Email::try_from(text.to_owned()).map(drop) }
    };
    /// A public key in base64, or nothing: an empty text unsets it.
    #[schemars(inline, description = "")]
    PublicKey { #[schemars(length(max = 8192))] } |text| {
        if text.len() <= 8192 && text.is_ascii() {
            Ok(())
        } else {
            Err("must be at most 8192 characters of base64")
        }
    };
    /// The id of a notification: 1 to 256 letters, digits, `_` and `-`.
    NotificationId { #[schemars(length(min = 1, max = 256), regex(pattern = r"^[A-Za-z0-9_-]+$"))] } |text| {
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        if (1..=256).contains(&text.len()) && text.bytes().all(is_plain) {
            Ok(())
        } else {
            Err("must be 1 to 256 letters, digits, _ and -")
        }
    };
    /// A position in a list, from a previous page; opaque to callers (contract
    /// `conventions.paging`).
    #[schemars(inline, description = "")]
    PageToken { #[schemars(length(min = 1, max = 8192))] } |text| {
        if (1..=8192).contains(&text.len()) { Ok(()) } else { Err("is not a page token of this list") }
    };
}

impl PersonEmail {
    /// The address, if mails can go to it.
    pub fn address(&self) -> Option<Email> {
        Email::try_from(self.0.clone()).ok()
    }
}

impl From<Email> for PersonEmail {
    fn from(email: Email) -> Self {
        Self(email.0)
    }
}

/// Whether a text is an http(s) URL with a host.
pub(crate) fn is_web_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    // The colons of an IPv6 address are in brackets.
    let (host, port) = match host.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (host, ""),
    };
    (scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http"))
        && !host.is_empty()
        && (port.is_empty() || port.parse::<u16>().is_ok())
        && !text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\')
}

/// Texts that may be unset read as empty then.
macro_rules! unset {
    ($($name:ident),+) => {$(
        impl Default for $name {
            fn default() -> Self {
                Self(String::new())
            }
        }
    )+};
}

unset!(Url, Line, Sender, PublicKey);

impl Text {
    /// A generated text, which satisfies the rule.
    pub(crate) fn from_constant(text: &'static str) -> Self {
        Self(text.to_owned())
    }
}

impl Label {
    /// A generated text, which satisfies the rule.
    pub(crate) fn from_constant(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// The initial of a name.
    pub(crate) fn initial(letter: char) -> Self {
        Self(letter.to_uppercase().collect())
    }
}

impl PageToken {
    /// A token made by the store.
    pub fn from_store(text: String) -> Self {
        Self(text)
    }
}

impl Default for PresenceStatus {
    fn default() -> Self {
        Self("online".to_owned())
    }
}

/// A secret of a tenant. Never shown by `Debug`, encrypted at rest by the store.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The secret itself, for its single use.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether it is unset: an empty text unsets a secret, and one that cannot be opened reads as
    /// unset.
    pub fn is_unset(&self) -> bool {
        self.0.is_empty()
    }
}

/// A generated value.
impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

/// A required value.
impl From<Text> for Secret {
    fn from(text: Text) -> Self {
        Self(text.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

#[cfg(test)]
mod tests {
    use super::{Email, NotificationId, Secret, Text, Url};

    #[test]
    fn an_email_address_has_a_local_part_and_a_domain() {
        let valid = |text: &str| Email::try_from(text.to_owned()).is_ok();
        for text in ["a@example.com", "first.last+tag@sub.example.co", "o'neil@example.com"] {
            assert!(valid(text), "{text}");
        }
        for text in
            ["", "a", "a@", "@b.c", "a@b", "a b@c.d", "a@b.c ", "A <a@b.c>", "a@b@c.d", "a@.c\n"]
        {
            assert!(!valid(text), "{text}");
        }
    }

    #[test]
    fn the_id_of_a_notification_has_no_other_characters() {
        let valid = |text: &str| NotificationId::try_from(text.to_owned()).is_ok();
        for text in ["a", "A-z_09", "-", &"x".repeat(256)] {
            assert!(valid(text), "{text}");
        }
        for text in ["", "a b", "a.b", "a#b", "é", "a/b", &"x".repeat(257)] {
            assert!(!valid(text), "{text}");
        }
    }

    #[test]
    fn a_blank_text_is_refused() {
        assert!(Text::try_from("  ".to_owned()).is_err());
        assert!(Text::try_from("x".repeat(1001)).is_err());
        assert!(Text::try_from(" x ".to_owned()).is_ok());
    }

    #[test]
    fn a_url_has_a_web_scheme_and_a_host_or_is_empty() {
        let valid = |text: &str| Url::try_from(text.to_owned()).is_ok();
        for text in [
            "",
            "https://example.com",
            "http://127.0.0.1:8080/hook?x=1",
            "HTTPS://user:pass@example.com",
            "http://[::1]:8080",
            "https://[::1]?x#y",
        ] {
            assert!(valid(text), "{text}");
        }
        for text in [
            "example.com",
            "ftp://example.com",
            "https:example.com",
            "https://",
            "https:///x",
            "https://?x",
            "https://#x",
            "https://user@",
            "https://:80",
            "https://a:65536",
            "https://a:b",
            "https://a b",
            "https://a\\b",
            "https://a\n",
        ] {
            assert!(!valid(text), "{text}");
        }
        assert!(valid(&format!("https://{}", "x".repeat(1992))));
        assert!(!valid(&format!("https://{}", "x".repeat(1993))));
    }

    #[test]
    fn a_secret_does_not_show_itself() {
        let secret: Secret = serde_json::from_str("\"hunter2\"").unwrap();
        assert_eq!(format!("{secret:?}"), "[redacted]");
        assert_eq!(secret.expose(), "hunter2");
    }
}
