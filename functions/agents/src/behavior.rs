//! What creating an agent and making a version of it have in common.

use model::{AgentId, Metadata, behavior::Fault};
use service::{Error, Result, issue};

/// Largest metadata of an agent, as JSON: a list shows them all in one reply.
const MAX_METADATA_BYTES: usize = 16 * 1024;
/// Members of metadata that are not the caller's to set.
const RESERVED: [&str; 4] = ["type", "category", "internal", "apiKey"];

/// Declares a request that holds the blocks of a behavior beside its own members. Blocks stand in
/// the request itself, so that a refusal names the whole path.
macro_rules! with_behavior {
    ($(#[$outer:meta])* pub struct Request {
        $($(#[$attribute:meta])* $member:ident: $kind:ty,)+
    }) => {
        $(#[$outer])*
        #[derive(serde::Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct Request {
            $($(#[$attribute])* $member: $kind,)+
            /// The caller's own; at most 16 KiB.
            metadata: Option<model::Metadata>,
            /// What the caller wrote before it was made instructions.
            raw_instructions: Option<String>,
            /// Required and not blank, unless a service does all the work.
            instructions: Option<String>,
            /// How long a phase may take.
            phase_timeout_ms: Option<model::blocks::PhaseTimeout>,
            /// What is read of a page before the work starts.
            context_gathering: Option<model::blocks::ContextGathering>,
            /// How it works.
            execution: Option<model::blocks::Execution>,
            /// What an answer looks like.
            response: Option<model::Metadata>,
            /// What is done with findings.
            post_process: Option<model::blocks::PostProcess>,
            /// What it is given with each run.
            input: Option<model::blocks::Input>,
            /// Where it works.
            scope: Option<model::blocks::Scope>,
            /// What comes before a run.
            setup: Option<model::Metadata>,
            /// Set by the service.
            #[schemars(skip)]
            managed_by: Option<serde::de::IgnoredAny>,
            /// Other members of the behavior are kept as they are.
            #[serde(flatten)]
            custom: model::Custom<model::behavior::Behavior>,
        }

        impl Request {
            /// The behavior that was sent; refuses what is not the caller's to say.
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

/// The refusal of a behavior that does not hold as a whole.
pub(crate) fn refused((path, message): Fault) -> Error {
    issue(path, message)
}

/// Refuses a built-in agent.
pub(crate) fn custom_only(id: &AgentId) -> Result<()> {
    match model::agent::is_built_in(id) {
        true => Err(issue(&["agentId"], "must be that of a custom agent; this one is built in")),
        false => Ok(()),
    }
}
