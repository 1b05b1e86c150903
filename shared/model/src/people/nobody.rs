//! Stored types that name nobody, or whose people are not erased by themselves.

use crate::{
    agent::{Agent, AgentVersion, Switch},
    api_key::ApiKey,
    configuration::{
        ActivityConfig, AdvancedWebhookConfig, EmailConfig, NotificationConfig, WebhookConfig,
    },
    folder::Folder,
    names_nobody,
    user_data::ErasureJob,
    user_group::Group,
    workspace::Workspace,
};

names_nobody! {
    // The tenant, its workspace and its configuration.
    Workspace, ApiKey, Agent, AgentVersion, Switch, ActivityConfig, AdvancedWebhookConfig,
    EmailConfig, NotificationConfig, WebhookConfig,
    // Names of things.
    Folder, Group,
    // Names its users until it is done, and then nobody.
    ErasureJob,
}
