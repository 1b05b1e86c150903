//! The mails of a deployment.

use std::collections::BTreeSet;

use embedded::EmbeddedServices;
use reference::{Mark, User};

use super::names::{address, marks};

/// The marks in the mails to a user, one for each mail and mark.
pub(super) fn told(embedded: &EmbeddedServices, user: User) -> Vec<Mark> {
    let address = address(user);
    let mails = embedded.mails().into_iter();
    let mails = mails.filter(|mail| mail.to.iter().any(|to| to.contains(&address)));
    let mut told: Vec<Mark> = mails
        .flat_map(|mail| {
            // Lines of quoted-printable text are broken anywhere.
            let text = String::from_utf8_lossy(&mail.raw).replace("=\r\n", "");
            marks(&text).into_iter().collect::<BTreeSet<_>>()
        })
        .collect();
    told.sort_unstable();
    told
}
