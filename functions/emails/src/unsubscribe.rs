//! `/u/{token}`: the unsubscribe link in every mail (RFC 8058). Mail clients post to it themselves;
//! people open it and press the button.

use mail::Scope;
use service::{Page, Sheet, Visit, prelude::*};

use crate::optout;

pub enum EmailsUnsubscribe {}

/// The body that mail clients and the button send, as a form or multipart.
const FIELD: (&str, &str) = ("List-Unsubscribe", "One-Click");

impl Page for EmailsUnsubscribe {
    const PATH: &'static str = "/u/{token}";

    async fn show(visit: Visit<'_>) -> Result<Sheet> {
        let asked = asked(&visit)?;
        let button = Some(("Unsubscribe", FIELD));
        let name = name(&visit, &asked).await?;
        let text = match asked.scope {
            Scope::Document(_) => "Do you want no more mails about {name}?",
            Scope::Organization => "Do you want no more mails?",
        };
        Ok(Sheet { title: "Unsubscribe", text, name, button })
    }

    async fn act(visit: Visit<'_>) -> Result<Sheet> {
        let is_there =
            |text: &str| visit.form().windows(text.len()).any(|window| window == text.as_bytes());
        if !is_there(FIELD.0) || !is_there(FIELD.1) {
            return Self::show(visit).await;
        }
        let asked = asked(&visit)?;
        let tenant = visit.tenant(asked.api_key.clone()).await?;
        let organization = tenant.organization(&asked.organization_id);
        let document = match &asked.scope {
            Scope::Document(id) => Some(id),
            Scope::Organization => None,
        };
        optout::stop(&organization, &asked.user_id, document).await?;
        if let Some(address) = &asked.address {
            let key = optout::key(&asked.organization_id, address, document.cloned());
            optout::choose(&tenant, &key, &asked.user_id).await?;
        }
        let text = match asked.scope {
            Scope::Document(_) => "You will get no more mails about {name}.",
            Scope::Organization => "You will get no more mails.",
        };
        let name = name(&visit, &asked).await?;
        Ok(Sheet { title: "You are unsubscribed", text, name, button: None })
    }
}

/// The scope of the token in the path.
fn asked(visit: &Visit<'_>) -> Result<mail::Unsubscribe> {
    mail::read(visit.keyring(), visit.token()).ok_or_else(|| Error::not_found("No such link."))
}

/// The name of its document.
async fn name(visit: &Visit<'_>, asked: &mail::Unsubscribe) -> Result<String> {
    let tenant = visit.tenant(asked.api_key.clone()).await?;
    let Scope::Document(id) = &asked.scope else { return Ok(String::new()) };
    let document = tenant.organization(&asked.organization_id).documents().all().find(id).await?;
    let name = document.and_then(|document| document.document_name);
    Ok(name.map_or_else(|| "this document".to_owned(), String::from))
}
