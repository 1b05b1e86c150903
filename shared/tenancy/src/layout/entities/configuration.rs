//! Configurations of a tenant; those of webhooks are with the endpoints.

use model::configuration::{ActivityConfig, EmailConfig, NotificationConfig};

use crate::layout::{Entity, Key, Place};

/// Declares a configuration: one per tenant.
macro_rules! configs {
    ($($entity:ident, $name:literal, $secrets:expr;)+) => {$(
        impl Entity for $entity {
            const KIND: &'static str = "config";
            const NOUN: &'static str = concat!($name, " configuration");
            const SECRETS: &'static [&'static str] = $secrets;
            type Id = ();
            fn id(&self) {}
            fn shown((): &()) -> &str {
                ""
            }
            fn place((): &()) -> Place {
                Place(Key::pair(Self::KIND, $name))
            }
        }
    )+};
}

configs! {
    ActivityConfig, "activity", &[];
    EmailConfig, "email", &["apiKey"];
    NotificationConfig, "notification", &[];
}
