//! Limits of tenants.

use serde::{Deserialize, Serialize};

/// Limits of an API key; 0 means no limit, absent the default of the deployment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Limits {
    /// Read calls per second, on average.
    pub reads_per_second: Option<u64>,
    /// Calls per second that may write, on average.
    pub writes_per_second: Option<u64>,
    /// Webhook deliveries per second, on average, of events with more than ten possible endpoints;
    /// further ones wait.
    pub deliveries_per_second: Option<u64>,
    /// Mails of the deployment per day of UTC.
    pub mails_per_day: Option<u64>,
    /// Editors of one document.
    pub editors_per_document: Option<u64>,
}

impl Limits {
    /// The defaults of a deployment (`template.yaml`).
    pub const DEPLOYED: Self = Self {
        reads_per_second: Some(200),
        writes_per_second: Some(100),
        deliveries_per_second: Some(1000),
        mails_per_day: Some(5000),
        editors_per_document: None,
    };

    /// These limits, with unset ones from `deployment`.
    #[must_use]
    pub fn or(self, deployment: Self) -> Self {
        Self {
            reads_per_second: self.reads_per_second.or(deployment.reads_per_second),
            writes_per_second: self.writes_per_second.or(deployment.writes_per_second),
            deliveries_per_second: self.deliveries_per_second.or(deployment.deliveries_per_second),
            mails_per_day: self.mails_per_day.or(deployment.mails_per_day),
            editors_per_document: self.editors_per_document.or(deployment.editors_per_document),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Limits;

    #[test]
    fn the_template_has_the_same_defaults() {
        let template = include_str!("../../../template.yaml");
        let default = |parameter: &str| -> u64 {
            let (_, of) = template.split_once(&format!("\n  {parameter}:\n")).expect("a parameter");
            let (_, value) = of.split_once("Default: ").expect("a default");
            value.lines().next().and_then(|value| value.parse().ok()).expect("a number")
        };
        let limits = Limits {
            reads_per_second: Some(default("ReadsPerSecond")),
            writes_per_second: Some(default("WritesPerSecond")),
            deliveries_per_second: Some(default("DeliveriesPerSecond")),
            mails_per_day: Some(default("MailsPerDay")),
            ..Limits::DEPLOYED
        };
        assert_eq!(limits, Limits::DEPLOYED);
    }
}
