//! The behavior members that creating an agent and adding a version share.

use model::{AgentId, Metadata, behavior::Fault};
use service::prelude::*;

/// Largest metadata of an agent, as JSON: one reply lists all agents.
const MAX_METADATA_BYTES: usize = 16 * 1024;
/// Members of metadata that the service sets.
const RESERVED: [&str; 4] = ["type", "category", "internal", "apiKey"];

/// Declares a request with the blocks of a behavior beside its own members. The blocks are
/// flattened into the request, so that an error names the whole path.
macro_rules! with_behavior {
    ($(#[$outer:meta])* pub struct Request {
        $($(#[$attribute:meta])* $member:ident: $kind:ty,)+
    }) => {
        $(#[$outer])*
        #[derive(serde::Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct Request {
            $($(#[$attribute])* $member: $kind,)+
            /// Custom members; at most 16 KiB.
            metadata: Option<model::Metadata>,
            /// The text from which the instructions were made.
            raw_instructions: Option<String>,
            /// Required and not blank, unless a service does all the work.
            instructions: Option<String>,
            /// Time limits of the phases.
            phase_timeout_ms: Option<model::blocks::PhaseTimeout>,
            /// Sources of context that the agent reads from a page before it runs.
            context_gathering: Option<model::blocks::ContextGathering>,
            /// How the agent runs.
            execution: Option<model::blocks::Execution>,
            /// The format of its answers.
            response: Option<model::Metadata>,
            /// How findings are processed.
            post_process: Option<model::blocks::PostProcess>,
            /// Input of each run.
            input: Option<model::blocks::Input>,
            /// The pages it runs on.
            scope: Option<model::blocks::Scope>,
            /// Steps before a run.
            setup: Option<model::Metadata>,
            /// Set by the service.
            #[schemars(skip)]
            managed_by: Option<serde::de::IgnoredAny>,
            /// Other members of the behavior, stored unchanged.
            #[serde(flatten)]
            custom: model::Custom<model::behavior::Behavior>,
        }

        impl Request {
            /// The behavior of the request; refuses members that the service sets.
            fn behavior(&self) -> service::Result<model::Metadata> {
                use model::behavior::put;
                if self.managed_by.is_some() {
                    return Err(service::issue(&["managedBy"], "cannot be set by callers"));
                }
                if let Some(metadata) = &self.metadata {
                    crate::behavior::check_metadata(metadata)?;
                }
                let mut sent = self.custom.initial();
                (|| {
                    put(&mut sent, "rawInstructions", &self.raw_instructions)?;
                    put(&mut sent, "instructions", &self.instructions)?;
                    put(&mut sent, "phaseTimeoutMs", &self.phase_timeout_ms)?;
                    put(&mut sent, "contextGathering", &self.context_gathering)?;
                    put(&mut sent, "execution", &self.execution)?;
                    put(&mut sent, "response", &self.response)?;
                    put(&mut sent, "postProcess", &self.post_process)?;
                    put(&mut sent, "input", &self.input)?;
                    put(&mut sent, "scope", &self.scope)?;
                    put(&mut sent, "setup", &self.setup)
                })()
                .map_err(service::Error::internal)?;
                Ok(sent)
            }
        }
    };
}

pub(crate) fn check_metadata(metadata: &Metadata) -> Result<()> {
    if let Some(name) = RESERVED.into_iter().find(|name| metadata.contains_key(*name)) {
        return Err(issue(&["metadata", name], "cannot be set by callers"));
    }
    if model::behavior::size(metadata) > MAX_METADATA_BYTES {
        return Err(issue(&["metadata"], "must be at most 16384 bytes of JSON"));
    }
    Ok(())
}

/// The error for an inconsistent behavior.
pub(crate) fn refused((path, message): Fault) -> Error {
    issue(path, message)
}

/// Refuses built-in agents.
pub(crate) fn custom_only(id: &AgentId) -> Result<()> {
    match model::agent::is_built_in(id) {
        true => {
            Err(issue(&["agentId"], "must be the id of a custom agent; this agent is built in"))
        }
        false => Ok(()),
    }
}
