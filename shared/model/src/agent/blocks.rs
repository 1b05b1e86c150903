//! The blocks of an agent's behavior that have rules (contract `agents.create`).
//!
//! A block defines the members with rules; other members pass through unchanged, except in strict
//! blocks. Blocks have no `Debug`, because some contain credentials.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::Value;

use crate::{Bounded, Metadata, NonEmpty, Text, UpTo, Url};

/// Time limit of a phase in milliseconds.
pub type PhaseTimeout = Bounded<1, 9_007_199_254_740_991>;

/// Declares blocks: optional members with rules, besides custom ones.
macro_rules! blocks {
    ($($(#[$doc:meta])* $name:ident {
        $($(#[$attribute:meta])* $member:ident: $kind:ty,)+
    })+) => {$(
        #[derive(Clone, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        $(#[$doc])*
        pub struct $name {
            $(
                $(#[$attribute])*
                #[serde(skip_serializing_if = "Option::is_none")]
                $member: Option<$kind>,
            )+
            #[serde(flatten)]
            rest: Metadata,
        }
    )+};
}

blocks! {
    /// Context that an agent reads before it runs.
    #[schemars(rename = "AgentContextGathering")]
    ContextGathering {
        /// Required for a new agent.
        strategies: NonEmpty<Strategy>,
        /// Elements whose styles are read; required by the strategy `computed-styles`.
        selectors: NonEmpty<Text>,
        /// Endpoints of the strategy `rest-api`.
        endpoints: UpTo<Endpoint, 10>,
        /// Options by strategy; `selectors` and `endpoints` may be here instead.
        strategy_options: StrategyOptions,
    }
    /// Options of strategies.
    #[schemars(rename = "AgentStrategyOptions")]
    StrategyOptions {
        #[serde(rename = "computed-styles")]
        computed_styles: StylesOptions,
        #[serde(rename = "rest-api")]
        rest_api: EndpointsOptions,
    }
    /// Options of the strategy `computed-styles`.
    #[schemars(rename = "AgentStylesOptions")]
    StylesOptions {
        selectors: NonEmpty<Text>,
    }
    /// Options of the strategy `rest-api`.
    #[schemars(rename = "AgentEndpointsOptions")]
    EndpointsOptions {
        endpoints: UpTo<Endpoint, 10>,
    }
    /// Execution of an agent.
    #[schemars(rename = "AgentExecution")]
    Execution {
        /// `ai` when absent.
        execution_strategy: ExecutionStrategy,
        /// Required by the strategies `service` and `service+ai`.
        service_id: ServiceId,
        /// Servers whose tools the agent may use.
        mcp_servers: UpTo<McpServer, 5>,
        /// The model it works with.
        ai_config: AiConfig,
        /// Knowledge from earlier runs.
        knowledge: Knowledge,
    }
    /// Input of each run.
    #[schemars(rename = "AgentInput")]
    Input {
        /// Names of variables.
        variable_keys: Vec<Text>,
        /// Fields that the user fills in.
        user_context_fields: Vec<ContextField>,
        /// Preconditions of the input.
        input_requirements: InputRequirements,
        /// Computed; a sent value is ignored.
        #[serde(skip_serializing)]
        #[schemars(skip)]
        #[expect(dead_code, reason = "ignored")]
        supported_variables: IgnoredAny,
    }
    /// Required inputs.
    #[schemars(rename = "AgentInputRequirements")]
    InputRequirements {
        /// All of these.
        requires: Vec<Value>,
        /// Inputs of which one is required.
        requires_one_of: Vec<Value>,
    }
    /// Pages that an agent runs on.
    #[schemars(rename = "AgentScope")]
    Scope {
        /// Comparison of several pages.
        cross_page: CrossPage,
    }
}

/// Declares enumerations of words.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal,)+ })+) => {$(
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[expect(missing_docs, reason = "the words say it")]
        $(#[$doc])*
        pub enum $name {
            $(#[serde(rename = $word)] $variant,)+
        }
    )+};
}

words! {
    /// Strategies of reading a page before the run.
    #[schemars(rename = "AgentStrategy")]
    Strategy {
        WebPageText = "web-page-text",
        WebPageScreenshot = "web-page-screenshot",
        WebPageHtml = "web-page-html",
        WebPageCss = "web-page-css",
        WebPageLinks = "web-page-links",
        WebPageAccessibility = "web-page-accessibility",
        ComputedStyles = "computed-styles",
        RobotsTxt = "robots-txt",
        SitemapData = "sitemap-data",
        Lighthouse = "lighthouse",
        RestApi = "rest-api",
        None = "none",
    }
    /// Execution strategy.
    #[schemars(rename = "AgentExecutionStrategy")]
    ExecutionStrategy {
        Ai = "ai",
        Service = "service",
        ServiceAndAi = "service+ai",
        Browser = "stagehand-agent",
        McpTools = "mcp-tools",
    }
    /// A service that runs the agent.
    #[schemars(rename = "AgentServiceId")]
    ServiceId {
        BrokenLinks = "broken-links",
        Crawler = "crawler",
        Screenshot = "screenshot",
        AccessibilityChecker = "accessibility-checker",
        OgImageChecker = "og-image-checker",
    }
    /// Transport of a tool server.
    #[schemars(rename = "McpTransport")]
    Transport { Http = "http", }
    /// Authorization of a call.
    #[schemars(rename = "AgentAuthType")]
    AuthType { None = "none", Bearer = "bearer", Basic = "basic", Header = "header", }
    /// Provider of the model.
    #[schemars(rename = "AgentProvider")]
    Provider { Gemini = "gemini", Claude = "claude", Openai = "openai", }
    /// Input of annotations.
    #[schemars(rename = "AgentAnnotationStrategy")]
    AnnotationStrategy {
        Findings = "findings",
        WordLevel = "word-level",
        PageLevel = "page-level",
        None = "none",
    }
    /// The type of a value that a user fills in.
    #[schemars(rename = "AgentFieldType")]
    FieldType { String = "string", Number = "number", Boolean = "boolean", }
    /// Discovery of further pages.
    #[schemars(rename = "AgentPageDiscovery")]
    PageDiscovery { Auto = "auto", Manual = "manual", }
}

/// An http(s) URL; unlike [`Url`], never empty.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Url", into = "String")]
#[schemars(!try_from, !into)]
#[schemars(rename = "AgentAddress")]
pub struct Address(
    #[schemars(length(min = 1, max = 2000), regex(pattern = r"^https?://[^\s/]\S*$"))]
    String,
);

impl TryFrom<Url> for Address {
    type Error = &'static str;
    fn try_from(url: Url) -> Result<Self, &'static str> {
        let url = String::from(url);
        if url.is_empty() { Err("must not be empty") } else { Ok(Self(url)) }
    }
}

impl From<Address> for String {
    fn from(address: Address) -> Self {
        address.0
    }
}

/// An endpoint that the strategy `rest-api` calls.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AgentEndpoint")]
pub struct Endpoint {
    url: Address,
    #[serde(skip_serializing_if = "Option::is_none")]
    auth: Option<Auth>,
    #[serde(flatten)]
    rest: Metadata,
}

/// Authorization of a call. Tokens, passwords and header values are sealed at rest.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AgentAuth")]
pub struct Auth {
    #[serde(rename = "type")]
    kind: AuthType,
    #[serde(flatten)]
    rest: Metadata,
}

/// A server whose tools an agent may use.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpServer {
    id: Text,
    url: Address,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transport: Option<Transport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    auth: Option<Auth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_tools: Option<Vec<Text>>,
    /// 30,000 when absent.
    #[serde(default = "timeout")]
    timeout_ms: Bounded<1, 120_000>,
    #[serde(flatten)]
    rest: Metadata,
}

fn timeout() -> Bounded<1, 120_000> {
    Bounded::nearest(30_000)
}

/// The model of the agent.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "AgentAiConfig")]
pub struct AiConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<Provider>,
    /// Accepted and not stored.
    #[serde(skip_serializing)]
    #[expect(dead_code, reason = "only its type is checked")]
    model: Option<Text>,
    /// 8 when absent.
    #[serde(default = "tool_turns")]
    max_tool_turns: Bounded<1, 16>,
}

fn tool_turns() -> Bounded<1, 16> {
    Bounded::nearest(8)
}

/// Knowledge from earlier runs.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "AgentKnowledge")]
pub struct Knowledge {
    #[serde(skip_serializing_if = "Option::is_none")]
    use_memory: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_chunks: Option<Bounded<1, 20>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_patterns: Option<Bounded<1, 20>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_activities: Option<Bounded<1, 20>>,
}

/// Processing of findings; stages are on unless switched off.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "AgentPostProcess")]
pub struct PostProcess {
    #[serde(skip_serializing_if = "Option::is_none")]
    guardrails: Option<Stage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delete_previous_suggestions: Option<Stage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Annotations>,
    #[serde(skip_serializing_if = "Option::is_none")]
    analytics: Option<Stage>,
    /// Accepted and not stored.
    #[serde(skip_serializing)]
    #[schemars(with = "Option<Value>")]
    #[expect(dead_code, reason = "ignored")]
    match_and_merge: Option<IgnoredAny>,
    #[serde(skip_serializing_if = "Option::is_none")]
    custom_processors: Option<Vec<Value>>,
}

/// A stage: on, off, or its settings.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Value")]
#[schemars(!try_from)]
#[schemars(rename = "AgentStage")]
pub struct Stage(Value);

impl TryFrom<Value> for Stage {
    type Error = &'static str;
    fn try_from(value: Value) -> Result<Self, &'static str> {
        match value {
            Value::Bool(_) | Value::Object(_) => Ok(Self(value)),
            _ => Err("must be a boolean or an object"),
        }
    }
}

/// Annotations created for findings.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AgentAnnotations")]
pub struct Annotations {
    /// On when absent.
    #[serde(default = "on")]
    enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<AnnotationStrategy>,
    #[serde(flatten)]
    rest: Metadata,
}

fn on() -> bool {
    true
}

/// A field that the user fills in.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AgentContextField")]
pub struct ContextField {
    id: Text,
    title: Text,
    #[serde(rename = "type")]
    kind: FieldType,
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<bool>,
    #[serde(flatten)]
    rest: Metadata,
}

/// Comparison of several pages.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AgentCrossPage")]
pub struct CrossPage {
    enabled: bool,
    target_property: Text,
    page_discovery: PageDiscovery,
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<Vec<Text>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_of_truth_knowledge_source_id: Option<Text>,
    #[serde(flatten)]
    rest: Metadata,
}
