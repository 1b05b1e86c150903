//! Stored types that name nobody, or whose people are not erased by themselves.

use crate::{
    agent::{Agent, AgentVersion, Switch},
    api_key::ApiKey,
    config::{
        ActivityConfig, AdvancedWebhookConfig, EmailConfig, NotificationConfig, WebhookConfig,
    },
    erasure::ErasureJob,
    folder::Folder,
    group::Group,
    names_nobody,
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
