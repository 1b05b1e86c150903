//! Resealing of all secrets with the current key.

use aws::{Item, Value, Write};
use error::{Error, Result};
use model::{
    PageToken,
    agent::AgentVersion,
    api_key::ApiKey,
    configuration::{EmailConfig, WebhookConfig},
};
use tenancy::{
    layout::{ENDPOINT_SECRETS, Entity, Table, WEBHOOK, item, sealed},
    prelude::*,
    scopes::{AdminStore, Deadline, place_of},
    writing::{Unit, no_failure, unchanged},
};

use crate::scan::Scan;

tenancy::features! {
    /// Entry from the scope of the operator.
    OfAdmin for AdminStore:
    /// Stored secrets.
    secrets: Secrets,
}

/// Result of resealing a part of the table.
#[derive(Debug, Default)]
pub struct Resealed {
    /// Resealed secrets.
    pub resealed: u64,
    /// Secrets that no key of the deployment opens.
    pub unopened: u64,
    /// Continuation, except at the end.
    pub next: Option<PageToken>,
}

/// The names of secrets in items of a kind, which is the head of their sort key.
fn secrets_of(kind: &str) -> Vec<&'static str> {
    let kinds: [(&str, &[&str]); 5] = [
        (ApiKey::KIND, ApiKey::SECRETS),
        (EmailConfig::KIND, EmailConfig::SECRETS),
        (WebhookConfig::KIND, WebhookConfig::SECRETS),
        (WEBHOOK, ENDPOINT_SECRETS),
        (AgentVersion::KIND, AgentVersion::SECRETS),
    ];
    kinds
        .iter()
        .filter(|(own, _)| *own == kind)
        .flat_map(|(_, names)| names.iter().copied())
        .collect()
}

impl Secrets<'_> {
    /// Reseals secrets of other keys with the current key, until `deadline`. Idempotent; a
    /// concurrent writer of an item reseals it.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when the token is not of this scan; UNAVAILABLE, INTERNAL.
    pub async fn reseal(self, token: Option<&PageToken>, deadline: Deadline) -> Result<Resealed> {
        let mut scan = Scan::new(self.0.db(), "secrets", token, deadline)?;
        let mut done = Resealed::default();
        while let Some(items) = scan.next().await? {
            let mut units = Vec::new();
            for item in items {
                units.extend(self.reseal_item(item, &mut done)?);
            }
            no_failure(self.0.db().commit_all(units).await)?;
        }
        done.next = scan.rest()?;
        Ok(done)
    }

    fn reseal_item(self, mut item: Item, done: &mut Resealed) -> Result<Option<Unit>> {
        let (_, sort) = place_of(&item);
        let names = secrets_of(sort.split('#').next().unwrap_or_default());
        if names.is_empty() || !item::is_there(&item) {
            return Ok(None);
        }
        let (place, version) = (sealed::place_of(&item)?, item::version(&item)?);
        let before = done.resealed;
        let mut reseal = |text: &mut String| {
            match self.0.db().keyring().reseal(&place, text) {
                Ok(Some(sealed)) => {
                    *text = sealed;
                    done.resealed += 1;
                }
                Ok(None) => {}
                Err(_) => done.unopened += 1,
            }
            Ok::<(), Error>(())
        };
        for (name, value) in &mut item {
            each_secret(&names, name, value, &mut reseal)?;
        }
        // The content is unchanged, and so is the version: no reader has to retry.
        let condition = Some(unchanged(&version));
        let write = Write::Put { table: Table::Resources.name(), item, condition };
        let unit = Unit::new(vec![write]);
        Ok((done.resealed > before).then_some(unit))
    }
}

/// Calls `change` with every secret in a value, at any depth, including previous versions.
fn each_secret(
    names: &[&str],
    name: &str,
    value: &mut Value,
    change: &mut dyn FnMut(&mut String) -> Result<()>,
) -> Result<()> {
    match value {
        Value::S(text) if names.contains(&name) && !text.is_empty() => change(text),
        Value::M(members) => {
            members.iter_mut().try_for_each(|(name, it)| each_secret(names, name, it, change))
        }
        Value::L(elements) => {
            elements.iter_mut().try_for_each(|element| each_secret(names, "", element, change))
        }
        _ => Ok(()),
    }
}
