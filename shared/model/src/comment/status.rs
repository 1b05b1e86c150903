use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Text;

/// Kind of a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "AnnotationStatusType")]
pub enum StatusType {
    /// Initial.
    Default,
    /// In progress.
    Ongoing,
    /// Resolved.
    Terminal,
}

/// The status of a thread. `OPEN`, `IN_PROGRESS` and `RESOLVED` need only the `id`; others require
/// `name` and `type` as well, and have the colors of the default status of their type unless sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", try_from = "Sent")]
#[schemars(rename = "AnnotationStatus")]
pub struct Status {
    /// Id of the status.
    pub id: Text,
    /// Display name.
    pub name: String,
    /// Kind of the status.
    #[serde(rename = "type")]
    pub kind: StatusType,
    /// Color of its icon.
    pub color: String,
    /// Background of its icon.
    pub light_color: String,
    /// The icon itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub svg: Option<String>,
    /// URL of the icon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon_url: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Sent {
    id: Text,
    name: Option<String>,
    #[serde(rename = "type")]
    kind: Option<StatusType>,
    color: Option<String>,
    light_color: Option<String>,
    svg: Option<String>,
    icon_url: Option<String>,
}

/// A default status.
#[derive(Clone, Copy)]
struct Known {
    id: &'static str,
    name: &'static str,
    kind: StatusType,
    color: &'static str,
    light_color: &'static str,
}

const OPEN: Known = Known {
    id: "OPEN",
    name: "Open",
    kind: StatusType::Default,
    color: "#625DF5",
    light_color: "#E7E8FA",
};
const IN_PROGRESS: Known = Known {
    id: "IN_PROGRESS",
    name: "In Progress",
    kind: StatusType::Ongoing,
    color: "#F5A623",
    light_color: "#FEF5E7",
};
const RESOLVED: Known = Known {
    id: "RESOLVED",
    name: "Resolved",
    kind: StatusType::Terminal,
    color: "#1AB394",
    light_color: "#E5F6F3",
};

const KNOWN: [Known; 3] = [OPEN, IN_PROGRESS, RESOLVED];

impl Known {
    /// The default status of a kind.
    const fn of(kind: StatusType) -> Self {
        match kind {
            StatusType::Default => OPEN,
            StatusType::Ongoing => IN_PROGRESS,
            StatusType::Terminal => RESOLVED,
        }
    }
}

impl Default for Status {
    fn default() -> Self {
        Self {
            id: Text::from_constant(OPEN.id),
            name: OPEN.name.to_owned(),
            kind: OPEN.kind,
            color: OPEN.color.to_owned(),
            light_color: OPEN.light_color.to_owned(),
            svg: None,
            icon_url: None,
        }
    }
}

impl TryFrom<Sent> for Status {
    type Error = &'static str;

    fn try_from(sent: Sent) -> Result<Self, &'static str> {
        let known = KNOWN.into_iter().find(|known| known.id == sent.id.as_str());
        let name = sent.name.or(known.map(|known| known.name.to_owned()));
        let kind = sent.kind.or(known.map(|known| known.kind)).ok_or("must have a type")?;
        let like = known.unwrap_or(Known::of(kind));
        Ok(Self {
            name: name.ok_or("must have a name")?,
            kind,
            color: sent.color.unwrap_or_else(|| like.color.to_owned()),
            light_color: sent.light_color.unwrap_or_else(|| like.light_color.to_owned()),
            id: sent.id,
            svg: sent.svg,
            icon_url: sent.icon_url,
        })
    }
}

impl Status {
    /// The status with an icon, if it is a default one without its own: a ring, a half or a whole disc
    /// in its color.
    #[must_use]
    pub fn with_icon(mut self) -> Self {
        let is_known = KNOWN.iter().any(|known| known.id == self.id.as_str());
        let is_safe = self.color.chars().all(|c| c.is_ascii_alphanumeric() || c == '#');
        if is_known && is_safe && self.svg.is_none() && self.icon_url.is_none() {
            let inside = match self.kind {
                StatusType::Default => "",
                StatusType::Ongoing => r#"<path d="M8 4a4 4 0 0 1 0 8z"/>"#,
                StatusType::Terminal => r#"<circle cx="8" cy="8" r="4"/>"#,
            };
            let color = &self.color;
            self.svg = Some(format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="{color}"><circle cx="8" cy="8" r="6" fill="none" stroke="{color}" stroke-width="2"/>{inside}</svg>"#
            ));
        }
        self
    }

    /// Whether the thread is resolved.
    pub fn is_terminal(&self) -> bool {
        self.kind == StatusType::Terminal
    }
}

/// The priority of a thread. `P0`, `P1` and `P2` need only the `id`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", try_from = "SentPriority")]
#[schemars(rename = "AnnotationPriority")]
pub struct Priority {
    /// Id of the priority.
    pub id: Text,
    /// Display name.
    pub name: String,
    /// Color of its icon.
    pub color: String,
    /// Background of its icon.
    pub light_color: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NewAnnotationPriority")]
struct SentPriority {
    id: Text,
    name: Option<String>,
    color: Option<String>,
    light_color: Option<String>,
}

/// Id and colors of the default priorities.
const PRIORITIES: [(&str, &str, &str); 3] =
    [("P0", "#FF3B30", "#FFE5E3"), ("P1", "#FF9500", "#FFF2E0"), ("P2", "#FFCC00", "#FFF9E0")];

impl TryFrom<SentPriority> for Priority {
    type Error = &'static str;

    fn try_from(sent: SentPriority) -> Result<Self, &'static str> {
        let known = PRIORITIES.into_iter().find(|(id, ..)| *id == sent.id.as_str());
        let (_, color, light_color) = known.unwrap_or_default();
        let name = sent.name.or(known.map(|(id, ..)| id.to_owned()));
        Ok(Self {
            name: name.ok_or("must have a name unless it is P0, P1 or P2")?,
            color: sent.color.unwrap_or_else(|| color.to_owned()),
            light_color: sent.light_color.unwrap_or_else(|| light_color.to_owned()),
            id: sent.id,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json};

    use super::{Priority, Status};

    fn status(json: Value) -> Result<Status, String> {
        from_value(json).map_err(|error| error.to_string())
    }

    #[test]
    fn of_a_default_status_the_id_is_enough() {
        assert_eq!(status(json!({ "id": "OPEN" })).unwrap(), Status::default());
        assert!(!status(json!({ "id": "IN_PROGRESS" })).unwrap().is_terminal());
        let resolved = status(json!({ "id": "RESOLVED", "name": "Done" })).unwrap();
        assert!(resolved.is_terminal());
        assert_eq!(resolved.name, "Done");
    }

    #[test]
    fn a_status_of_the_callers_own_has_a_name_and_a_type() {
        let own = json!({ "id": "LATER", "name": "Later", "type": "ongoing" });
        let bare = status(own.clone()).unwrap();
        assert_eq!((bare.color.as_str(), bare.light_color.as_str()), ("#F5A623", "#FEF5E7"));
        for member in ["name", "type"] {
            let mut own = own.clone();
            own.as_object_mut().unwrap().remove(member);
            assert!(status(own).unwrap_err().contains(member), "{member}");
        }
        let mut whole = own;
        whole["color"] = json!("#000");
        assert_eq!(status(whole).unwrap().color, "#000");
        assert!(status(json!({ "id": "OPEN", "type": "x" })).is_err());
        assert!(status(json!({})).is_err());
    }

    #[test]
    fn what_is_stored_is_read_back() {
        let stored = serde_json::to_value(Status::default()).unwrap();
        assert_eq!(status(stored).unwrap(), Status::default());
    }

    #[test]
    fn of_a_default_priority_the_id_is_enough() {
        let priority = |json| from_value::<Priority>(json);
        assert_eq!(priority(json!({ "id": "P0" })).unwrap().name, "P0");
        assert_eq!(priority(json!({ "id": "x", "name": "X" })).unwrap().color, "");
        assert!(priority(json!({ "id": "x" })).is_err());
    }
}
