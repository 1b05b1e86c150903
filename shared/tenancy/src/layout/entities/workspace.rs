//! Workspaces and their keys.

use model::{api_key::ApiKey, workspace::Workspace};

use crate::layout::{Entity, Indexed, Key, Place};

impl Entity for Workspace {
    const KIND: &'static str = "workspace";
    type Id = ();
    fn id(&self) {}
    fn shown((): &()) -> &str {
        ""
    }
    fn place((): &()) -> Place {
        Place(Key::named(Self::KIND))
    }
}

impl Entity for ApiKey {
    const KIND: &'static str = "key";
    const NOUN: &'static str = "API key";
    const SECRETS: &'static [&'static str] = &["customerApiKey"];
    const INDEXED_ALONE: bool = true;
    type Id = ();
    fn id(&self) {}
    fn shown((): &()) -> &str {
        ""
    }
    fn place((): &()) -> Place {
        Place(Key::named(Self::KIND))
    }
    fn indexes(&self) -> Vec<Indexed> {
        if self.deleted_at.is_some() {
            return vec![];
        }
        let partition = Key::pair("workspace", self.workspace_id.as_str());
        Indexed::within(partition, Key::pair(Self::KIND, self.id.as_str()))
    }
}
