//! The secrets of a deployment: a function reads the needed ones once, at start.

use aws::{Settings, secret};
use keyring::Keyring;

/// The sources of a function's secrets: the environment, as on a laptop, or Secrets Manager, with
/// the ARN in the environment. A secret without a source is not needed.
pub(crate) struct Places {
    pub(crate) keyring: Place,
    pub(crate) admin_token: Place,
}

/// Source of a secret.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Here(String),
    Arn(String),
    Nowhere,
}

/// The secrets that a function works with.
#[derive(Clone)]
pub struct Secrets {
    /// Keyring that signs and seals.
    pub keyring: Keyring,
    /// The token of the operator; only in functions that check it.
    pub admin_token: Option<String>,
}

impl Secrets {
    /// Settings of a function without secrets.
    pub(crate) fn absent() -> Self {
        Self { keyring: Keyring::absent(), admin_token: None }
    }
}

impl Place {
    /// The text takes precedence over the ARN: `sam local invoke` sets the template's ARN as well.
    pub(crate) fn of(name: &str, variable: impl Fn(&str) -> Option<String>) -> Self {
        let arn = || variable(&format!("{name}_SECRET")).map_or(Self::Nowhere, Self::Arn);
        variable(name).map_or_else(arn, Self::Here)
    }

    async fn read(self, aws: &Settings) -> Result<Option<String>, String> {
        match self {
            Self::Here(text) => Ok(Some(text)),
            Self::Arn(arn) => secret(aws, &arn).await.map(Some),
            Self::Nowhere => Ok(None),
        }
    }
}

impl Places {
    /// Reads the secrets, one after the other: a second connection would cost more than it saves.
    ///
    /// # Errors
    /// A sentence that names the unreadable or invalid secret, without its text.
    pub(crate) async fn read(self, aws: &Settings) -> Result<Secrets, String> {
        let text = self.keyring.read(aws).await;
        let text = text.map_err(|e| format!("the keyring cannot be read: {e}"))?;
        let keyring = text.map(|text| Keyring::parse(&text)).transpose();
        let keyring = keyring.map_err(|e| format!("the keyring cannot be used: {e}"))?;
        let admin_token = self.admin_token.read(aws).await;
        let admin_token =
            admin_token.map_err(|e| format!("the admin token cannot be read: {e}"))?;
        Ok(Secrets { keyring: keyring.unwrap_or_else(Keyring::absent), admin_token })
    }
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn a_secret_that_is_here_counts_before_one_elsewhere() {
        let place = |known: &[&str]| {
            Place::of("KEYRING", |name| known.contains(&name).then(|| name.to_owned()))
        };
        assert_eq!(place(&["KEYRING", "KEYRING_SECRET"]), Place::Here("KEYRING".to_owned()));
        assert_eq!(place(&["KEYRING_SECRET"]), Place::Arn("KEYRING_SECRET".to_owned()));
        assert_eq!(place(&[]), Place::Nowhere);
    }
}
