use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Declares texts with a rule.
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident { $(#[$schema:meta])* } $check:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(!try_from, !into)]
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

texts! {
    /// A display name or other short text: 1 to 1000 characters, not blank.
    Text { #[schemars(length(min = 1, max = 1000), regex(pattern = r"\S"))] } |text| {
        if text.trim().is_empty() {
            return Err("must not be blank");
        }
        if text.chars().count() > 1000 { Err("must be at most 1000 characters") } else { Ok(()) }
    };
    /// The name of a workspace or of its owner: 1 to 200 characters, not blank.
    Name { #[schemars(length(min = 1, max = 200), regex(pattern = r"\S"))] } |text| {
        if text.trim().is_empty() {
            return Err("must not be blank");
        }
        if text.chars().count() > 200 { Err("must be at most 200 characters") } else { Ok(()) }
    };
    /// An http(s) URL of at most 2000 characters, or nothing: an empty text unsets it.
    Url { #[schemars(length(max = 2000), regex(pattern = r"^(https?://[^\s/]\S*)?$"))] } |text| {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let valid = rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
            && !text.contains(|c: char| c.is_whitespace() || c.is_control())
            && text.chars().count() <= 2000;
        if valid || text.is_empty() {
            Ok(())
        } else {
            Err("must be an http(s) URL of at most 2000 characters")
        }
    };
    /// An e-mail address.
    Email { #[schemars(length(max = 254), extend("format" = "email"))] } |text| {
        let valid = text.len() <= 254
            && text.rsplit_once('@').is_some_and(|(_, domain)| domain.contains('.'))
            && email_address::EmailAddress::from_str(text)
                .is_ok_and(|address| address.display_part().is_empty());
        if valid { Ok(()) } else { Err("must be a valid email address") }
    };
    /// A place in a list, as a previous page gave it; opaque to callers (decisions 1).
    PageToken { #[schemars(length(min = 1, max = 8192))] } |text| {
        if (1..=8192).contains(&text.len()) { Ok(()) } else { Err("is not a page token of this list") }
    };
}

impl Text {
    /// A text of ours, which is one.
    pub(crate) fn fixed(text: &'static str) -> Self {
        Self(text.to_owned())
    }
}

impl PageToken {
    /// A token the store made.
    pub fn made(text: String) -> Self {
        Self(text)
    }
}

/// A secret of a tenant. Never shown by `Debug`, encrypted at rest by the store.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The secret itself, for the one place that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// What a caller has to fill in.
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
    use super::{Email, Secret, Text, Url};

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
    fn a_blank_text_is_refused() {
        assert!(Text::try_from("  ".to_owned()).is_err());
        assert!(Text::try_from("x".repeat(1001)).is_err());
        assert!(Text::try_from(" x ".to_owned()).is_ok());
    }

    #[test]
    fn a_url_has_a_web_scheme_and_a_host_or_is_empty() {
        let valid = |text: &str| Url::try_from(text.to_owned()).is_ok();
        for text in ["", "https://example.com", "http://127.0.0.1:8080/hook?x=1"] {
            assert!(valid(text), "{text}");
        }
        for text in ["example.com", "ftp://example.com", "https://", "https:///x", "https://a b"] {
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
