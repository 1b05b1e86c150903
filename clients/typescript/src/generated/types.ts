// Written by clients/generate from openapi.json.


/**
 * Access information of the caller's product: stored and shown, without effect, because users have no access context.
 */
export type AccessContext = {
    /**
     * Values by field.
     */
    access?: JsonObject;
};

/**
 * The role of a user. A later one may do all that an earlier one may.
 *
 * - `viewer`: Reads.
 * - `commenter`: Reads, comments and reacts.
 * - `editor`: Reads and writes.
 */
export type AccessRole = 'viewer' | 'commenter' | 'editor';

/**
 * Access type of a resource.
 *
 * - `public`: Every end user of the API key, whatever rights their token names.
 * - `organizationPrivate`: Members of the organization.
 * - `restricted`: Users with a right to the resource itself or a folder above it.
 */
export type AccessType = 'public' | 'organizationPrivate' | 'restricted';

export type ActivitiesAddRequest = {
    /**
     * An activity that is sent twice is written as the later entry.
     */
    activities: Array<NewActivity>;
    documentId: DocumentId;
    organizationId: OrganizationId;
};

export type ActivitiesAddResult = Success & {
    data: ActivitiesAdded;
};

export type ActivitiesAdded = {
    /**
     * The outcome of each activity.
     */
    activities: {
        [key: string]: ItemOutcome;
    };
    message: string;
    /**
     * Whether all entries succeeded.
     */
    success: boolean;
};

export type ActivitiesDeleteRequest = {
    /**
     * Only these activities.
     */
    activityIds?: Array<ActivityId> | null;
    /**
     * Only activities of this document. Recent ones may be missed.
     */
    documentId?: DocumentId | null;
    organizationId: OrganizationId;
    /**
     * Only activities about this target. Recent ones may be missed.
     */
    targetEntityId?: EntityId | null;
};

export type ActivitiesDeleteResult = Success & {
    data: {
        [key: string]: ItemOutcome;
    };
    /**
     * Whether there may be more to delete.
     */
    hasMore: boolean;
};

export type ActivitiesGetRequest = {
    /**
     * Only activities with these actions; no filter when absent or empty.
     */
    actionTypes?: Array<string> | null;
    /**
     * Only these activities; no filter when absent or empty.
     */
    activityIds?: Array<ActivityId> | null;
    /**
     * Only activities of this document.
     */
    documentId?: DocumentId | null;
    /**
     * Only activities of these features; no filter when absent or empty.
     */
    featureTypes?: Array<ActivityFeature> | null;
    /**
     * By time; `desc` when absent.
     */
    order?: SortOrder | null;
    organizationId: OrganizationId;
    pageSize?: number | null;
    pageToken?: string | null;
    /**
     * Only activities about this target.
     */
    targetEntityId?: EntityId | null;
    /**
     * Only activities of this user.
     */
    userId?: UserId | null;
};

export type ActivitiesGetResult = Success & {
    data: Array<Activity>;
    /**
     * Null on the last page.
     */
    pageToken: string | null;
};

export type ActivitiesUpdateRequest = {
    activities: Array<ActivityPatch>;
    organizationId: OrganizationId;
};

/**
 * An activity in replies.
 */
export type Activity = {
    /**
     * URL or name of an icon.
     */
    actionIcon?: string;
    actionType: string;
    actionUser: Person;
    /**
     * Changed members.
     */
    changes?: {
        [key: string]: ValueChange;
    };
    /**
     * The display message, with `{{variable}}` placeholders.
     */
    displayMessageTemplate?: string;
    /**
     * Values of the variables.
     */
    displayMessageTemplateData?: JsonObject;
    /**
     * Snapshot of the entity.
     */
    entityData?: unknown;
    /**
     * Snapshot of the target entity.
     */
    entityTargetData?: unknown;
    featureType: ActivityFeature;
    id: ActivityId;
    /**
     * Whether the record cannot be changed or deleted.
     */
    immutable: boolean;
    isActivityResolverUsed?: boolean;
    metadata: Whereabouts;
    targetEntityId?: EntityId;
    targetSubEntityId?: EntityId;
    /**
     * Epoch milliseconds.
     */
    timestamp: number;
};

/**
 * Activity configuration.
 */
export type ActivityConfig = {
    /**
     * Service configuration.
     */
    activityServiceConfig: ActivityService;
};

export type ActivityConfigResult = Success & {
    data: ActivityConfig;
};

/**
 * Feature of an activity.
 *
 * - `custom`: A custom feature.
 */
export type ActivityFeature = 'comment' | 'reaction' | 'recorder' | 'crdt' | 'custom';

/**
 * An activity of the log.
 */
export type ActivityId = string;

/**
 * An update of an activity, as sent.
 */
export type ActivityPatch = {
    /**
     * URL or name of an icon.
     */
    actionIcon?: string | null;
    /**
     * Changed members.
     */
    changes?: ActivityPatchChanges | null;
    /**
     * The display message, with `{{variable}}` placeholders.
     */
    displayMessageTemplate?: string | null;
    /**
     * Values of the variables.
     */
    displayMessageTemplateData?: JsonObject | null;
    /**
     * Snapshot of the entity.
     */
    entityData?: unknown;
    /**
     * Snapshot of the target entity.
     */
    entityTargetData?: unknown;
    /**
     * The activity.
     */
    id: ActivityId;
};

export type ActivityPatchChanges = {
    [key: string]: ValueChangeInput;
};

/**
 * The `activityServiceConfig`; absent members were never set.
 */
export type ActivityService = {
    /**
     * Time of enabling, in epoch milliseconds.
     */
    enabledTime?: number | null;
    /**
     * Whether new records are immutable.
     */
    immutable?: boolean | null;
    /**
     * Service switch.
     */
    isEnabled?: boolean | null;
    /**
     * Events that are logged, in group `comment`.
     */
    triggers?: Triggers | null;
};

/**
 * Advanced webhook configuration. It does not exist before the first enabling.
 */
export type AdvancedWebhookConfig = {
    /**
     * Stored as sent.
     */
    enableDataProtection: boolean;
    /**
     * Whether bodies are sent as base64.
     */
    encodeData: boolean;
    /**
     * Whether bodies are encrypted.
     */
    encryptData: boolean;
    /**
     * Whether endpoints can be managed and receive deliveries.
     */
    isEnabled: boolean;
    /**
     * The encryption key: an RSA public key in base64, without PEM lines; empty when unset.
     */
    publicKey: string;
};

export type AdvancedWebhookConfigResult = Success & {
    data: AdvancedWebhookConfig;
};

/**
 * An agent; a custom one with its current version.
 */
export type Agent = {
    agentId: string;
    /**
     * Epoch milliseconds.
     */
    createdAt?: number;
    description: string;
    enabled: boolean;
    /**
     * Whether it is enabled; the default unless an update changed it.
     */
    essentialDefault?: boolean;
    /**
     * Id of the agent, as in `agentId`.
     */
    id: string;
    /**
     * Epoch milliseconds.
     */
    lastUpdated?: number;
    managedBy: AgentManager;
    /**
     * Custom members.
     */
    metadata?: JsonObject;
    name: string;
    /**
     * True.
     */
    system?: boolean;
    /**
     * The current version.
     */
    version?: number;
};

export type AgentAddress = string;

/**
 * The model of the agent.
 */
export type AgentAiConfig = {
    /**
     * 8 when absent.
     */
    maxToolTurns?: number;
    /**
     * Accepted and not stored.
     */
    model?: string | null;
    provider?: AgentProvider | null;
};

/**
 * Input of annotations.
 */
export type AgentAnnotationStrategy = 'findings' | 'word-level' | 'page-level' | 'none';

/**
 * Annotations created for findings.
 */
export type AgentAnnotations = {
    /**
     * On when absent.
     */
    enabled?: boolean;
    strategy?: AgentAnnotationStrategy | null;
    [key: string]: unknown;
};

/**
 * Authorization of a call. Tokens, passwords and header values are sealed at rest.
 */
export type AgentAuth = {
    type: AgentAuthType;
    [key: string]: unknown;
};

/**
 * Authorization of a call.
 */
export type AgentAuthType = 'none' | 'bearer' | 'basic' | 'header';

/**
 * A field that the user fills in.
 */
export type AgentContextField = {
    id: string;
    required?: boolean | null;
    title: string;
    type: AgentFieldType;
    [key: string]: unknown;
};

/**
 * Context that an agent reads before it runs.
 */
export type AgentContextGathering = {
    /**
     * Endpoints of the strategy `rest-api`.
     */
    endpoints?: Array<AgentEndpoint> | null;
    /**
     * Elements whose styles are read; required by the strategy `computed-styles`.
     */
    selectors?: Array<string> | null;
    /**
     * Required for a new agent.
     */
    strategies?: Array<AgentStrategy> | null;
    /**
     * Options by strategy; `selectors` and `endpoints` may be here instead.
     */
    strategyOptions?: AgentStrategyOptions | null;
    [key: string]: unknown;
};

/**
 * Comparison of several pages.
 */
export type AgentCrossPage = {
    enabled: boolean;
    pageDiscovery: AgentPageDiscovery;
    pages?: Array<string> | null;
    sourceOfTruthKnowledgeSourceId?: string | null;
    targetProperty: string;
    [key: string]: unknown;
};

/**
 * An endpoint that the strategy `rest-api` calls.
 */
export type AgentEndpoint = {
    auth?: AgentAuth | null;
    url: AgentAddress;
    [key: string]: unknown;
};

/**
 * Options of the strategy `rest-api`.
 */
export type AgentEndpointsOptions = {
    endpoints?: Array<AgentEndpoint> | null;
    [key: string]: unknown;
};

/**
 * Execution of an agent.
 */
export type AgentExecution = {
    /**
     * The model it works with.
     */
    aiConfig?: AgentAiConfig | null;
    /**
     * `ai` when absent.
     */
    executionStrategy?: AgentExecutionStrategy | null;
    /**
     * Knowledge from earlier runs.
     */
    knowledge?: AgentKnowledge | null;
    /**
     * Servers whose tools the agent may use.
     */
    mcpServers?: Array<McpServer> | null;
    /**
     * Required by the strategies `service` and `service+ai`.
     */
    serviceId?: AgentServiceId | null;
    [key: string]: unknown;
};

/**
 * Execution strategy.
 */
export type AgentExecutionStrategy = 'ai' | 'service' | 'service+ai' | 'stagehand-agent' | 'mcp-tools';

/**
 * The type of a value that a user fills in.
 */
export type AgentFieldType = 'string' | 'number' | 'boolean';

export type AgentFilter = 'defaultOnly' | 'customOnly';

/**
 * An agent: built in, or of a tenant.
 */
export type AgentId = string;

/**
 * Input of each run.
 */
export type AgentInput = {
    /**
     * Preconditions of the input.
     */
    inputRequirements?: AgentInputRequirements | null;
    /**
     * Fields that the user fills in.
     */
    userContextFields?: Array<AgentContextField> | null;
    /**
     * Names of variables.
     */
    variableKeys?: Array<string> | null;
    [key: string]: unknown;
};

/**
 * Required inputs.
 */
export type AgentInputRequirements = {
    /**
     * All of these.
     */
    requires?: Array<unknown> | null;
    /**
     * Inputs of which one is required.
     */
    requiresOneOf?: Array<unknown> | null;
    [key: string]: unknown;
};

/**
 * Knowledge from earlier runs.
 */
export type AgentKnowledge = {
    maxActivities?: number | null;
    maxChunks?: number | null;
    maxPatterns?: number | null;
    useMemory?: boolean | null;
};

/**
 * The owner of an agent.
 */
export type AgentManager = 'service' | 'customer';

export type AgentOrAgents = {
    agent?: Agent;
    agents?: Array<AgentSummary>;
};

/**
 * Discovery of further pages.
 */
export type AgentPageDiscovery = 'auto' | 'manual';

/**
 * Processing of findings; stages are on unless switched off.
 */
export type AgentPostProcess = {
    analytics?: AgentStage | null;
    annotations?: AgentAnnotations | null;
    customProcessors?: Array<unknown> | null;
    deletePreviousSuggestions?: AgentStage | null;
    guardrails?: AgentStage | null;
    /**
     * Accepted and not stored.
     */
    matchAndMerge?: unknown;
};

/**
 * Provider of the model.
 */
export type AgentProvider = 'gemini' | 'claude' | 'openai';

/**
 * The reason for an agent's comment. Further members are stored.
 */
export type AgentReason = {
    confidence?: number | null;
    description: string;
    /**
     * The agent's name for its finding.
     */
    findingId?: string | null;
    findingType?: FindingType | null;
    severity: FindingSeverity;
    source?: ReasonSource | null;
    title: string;
    [key: string]: unknown;
};

/**
 * The agent of a call.
 */
export type AgentReference = {
    agentId: AgentId;
};

export type AgentReferenceResult = Success & {
    data: AgentReference;
};

/**
 * Pages that an agent runs on.
 */
export type AgentScope = {
    /**
     * Comparison of several pages.
     */
    crossPage?: AgentCrossPage | null;
    [key: string]: unknown;
};

/**
 * A service that runs the agent.
 */
export type AgentServiceId = 'broken-links' | 'crawler' | 'screenshot' | 'accessibility-checker' | 'og-image-checker';

/**
 * Owner of an agent.
 *
 * - `service`: An agent of the service: built in, or of the workspace.
 * - `external`: An agent unknown to the service.
 */
export type AgentSource = 'service' | 'external';

/**
 * A stage: on, off, or its settings.
 */
export type AgentStage = unknown;

/**
 * Strategies of reading a page before the run.
 */
export type AgentStrategy = 'web-page-text' | 'web-page-screenshot' | 'web-page-html' | 'web-page-css' | 'web-page-links' | 'web-page-accessibility' | 'computed-styles' | 'robots-txt' | 'sitemap-data' | 'lighthouse' | 'rest-api' | 'none';

/**
 * Options of strategies.
 */
export type AgentStrategyOptions = {
    'computed-styles'?: AgentStylesOptions | null;
    'rest-api'?: AgentEndpointsOptions | null;
    [key: string]: unknown;
};

/**
 * Options of the strategy `computed-styles`.
 */
export type AgentStylesOptions = {
    selectors?: Array<string> | null;
    [key: string]: unknown;
};

/**
 * The identity of an agent.
 */
export type AgentSummary = {
    agentId: string;
    /**
     * Epoch milliseconds.
     */
    createdAt?: number;
    description: string;
    enabled: boolean;
    /**
     * Whether it is enabled; the default unless an update changed it.
     */
    essentialDefault?: boolean;
    /**
     * Number of runs.
     */
    executionCount: number;
    /**
     * Id of the agent, as in `agentId`.
     */
    id: string;
    /**
     * Epoch milliseconds; null before the first run.
     */
    lastExecutedAt: number | null;
    /**
     * Epoch milliseconds.
     */
    lastUpdated?: number;
    managedBy: AgentManager;
    /**
     * Custom members.
     */
    metadata?: JsonObject;
    name: string;
    /**
     * True.
     */
    system?: boolean;
    /**
     * The current version.
     */
    version?: number;
};

export type AgentVersion = {
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
    /**
     * `v` and the number.
     */
    id: string;
    version: number;
    [key: string]: unknown;
};

export type AgentVersions = {
    versions: Array<AgentVersion>;
};

export type AgentsCreateRequest = {
    /**
     * Sources of context that the agent reads from a page before it runs.
     */
    contextGathering?: AgentContextGathering | null;
    /**
     * Purpose of the agent; not blank.
     */
    description: string;
    /**
     * Whether it is active.
     */
    enabled: boolean;
    /**
     * How the agent runs.
     */
    execution?: AgentExecution | null;
    /**
     * Input of each run.
     */
    input?: AgentInput | null;
    /**
     * Required and not blank, unless a service does all the work.
     */
    instructions?: string | null;
    /**
     * Custom members; at most 16 KiB.
     */
    metadata?: JsonObject | null;
    /**
     * Display name.
     */
    name: string;
    /**
     * Time limits of the phases.
     */
    phaseTimeoutMs?: number | null;
    /**
     * How findings are processed.
     */
    postProcess?: AgentPostProcess | null;
    /**
     * The text from which the instructions were made.
     */
    rawInstructions?: string | null;
    /**
     * The format of its answers.
     */
    response?: JsonObject | null;
    /**
     * The pages it runs on.
     */
    scope?: AgentScope | null;
    /**
     * Steps before a run.
     */
    setup?: JsonObject | null;
    [key: string]: unknown;
};

export type AgentsDeleteRequest = {
    agentId: AgentId;
};

export type AgentsGetRequest = {
    /**
     * Only this agent.
     */
    agentId?: AgentId | null;
    /**
     * Kind of the agents to list; all when absent. Ignored with `agentId`.
     */
    filter?: AgentFilter | null;
    /**
     * Only agents of this group. There are no groups yet.
     */
    groupId?: ResourceId | null;
};

export type AgentsGetResult = Success & {
    data: AgentOrAgents;
};

export type AgentsUpdateRequest = {
    agentId: AgentId;
    /**
     * 1 to 4000 characters, not blank; ignored for a built-in agent.
     */
    description?: string | null;
    /**
     * Whether it is active.
     */
    enabled?: boolean | null;
    /**
     * 1 to 1000 characters, not blank; ignored for a built-in agent.
     */
    name?: string | null;
};

export type AgentsVersionUpdateRequest = {
    agentId: AgentId;
    /**
     * Sources of context that the agent reads from a page before it runs.
     */
    contextGathering?: AgentContextGathering | null;
    /**
     * How the agent runs.
     */
    execution?: AgentExecution | null;
    /**
     * Input of each run.
     */
    input?: AgentInput | null;
    /**
     * Required and not blank, unless a service does all the work.
     */
    instructions?: string | null;
    /**
     * Custom members; at most 16 KiB.
     */
    metadata?: JsonObject | null;
    /**
     * Time limits of the phases.
     */
    phaseTimeoutMs?: number | null;
    /**
     * How findings are processed.
     */
    postProcess?: AgentPostProcess | null;
    /**
     * The text from which the instructions were made.
     */
    rawInstructions?: string | null;
    /**
     * The format of its answers.
     */
    response?: JsonObject | null;
    /**
     * The pages it runs on.
     */
    scope?: AgentScope | null;
    /**
     * Steps before a run.
     */
    setup?: JsonObject | null;
    [key: string]: unknown;
};

export type AgentsVersionsListRequest = {
    agentId: AgentId;
};

export type AgentsVersionsListResult = Success & {
    data: AgentVersions;
};

export type AgentsVersionsRestoreRequest = {
    agentId: AgentId;
};

/**
 * An AI provider.
 */
export type AiProvider = 'openai' | 'anthropic' | 'gemini';

export type AiProviderKey = {
    customerApiKey: string;
    provider: AiProvider;
};

export type AllowedDomains = {
    /**
     * Empty when every page may use the key.
     */
    allowedDomains: Array<string>;
};

/**
 * A comment annotation, which is a thread of comments, or a recording.
 */
export type AnnotationId = string;

/**
 * The priority of a thread. `P0`, `P1` and `P2` need only the `id`.
 */
export type AnnotationPriority = {
    /**
     * Color of its icon.
     */
    color: string;
    /**
     * Id of the priority.
     */
    id: string;
    /**
     * Background of its icon.
     */
    lightColor: string;
    /**
     * Display name.
     */
    name: string;
};

/**
 * The priority of a thread. `P0`, `P1` and `P2` need only the `id`.
 */
export type AnnotationPriorityInput = {
    color?: string | null;
    id: string;
    lightColor?: string | null;
    name?: string | null;
};

/**
 * The status of a thread. `OPEN`, `IN_PROGRESS` and `RESOLVED` need only the `id`; others require `name` and `type` as well, and have the colors of the default status of their type unless sent.
 */
export type AnnotationStatus = {
    /**
     * Color of its icon.
     */
    color: string;
    /**
     * URL of the icon.
     */
    iconUrl?: string;
    /**
     * Id of the status.
     */
    id: string;
    /**
     * Background of its icon.
     */
    lightColor: string;
    /**
     * Display name.
     */
    name: string;
    /**
     * The icon itself.
     */
    svg?: string;
    /**
     * Kind of the status.
     */
    type: AnnotationStatusType;
};

/**
 * The status of a thread. `OPEN`, `IN_PROGRESS` and `RESOLVED` need only the `id`; others require `name` and `type` as well, and have the colors of the default status of their type unless sent.
 */
export type AnnotationStatusInput = {
    color?: string | null;
    iconUrl?: string | null;
    id: string;
    lightColor?: string | null;
    name?: string | null;
    svg?: string | null;
    type?: AnnotationStatusType | null;
};

/**
 * Kind of a status.
 *
 * - `default`: Initial.
 * - `ongoing`: In progress.
 * - `terminal`: Resolved.
 */
export type AnnotationStatusType = 'default' | 'ongoing' | 'terminal';

/**
 * A user who subscribed to a thread.
 */
export type AnnotationSubscription = {
    /**
     * Origin of the subscription.
     */
    type: SubscriptionType;
    /**
     * The user.
     */
    user: Person;
};

/**
 * Type of a thread.
 *
 * - `comment`: A comment thread.
 * - `suggestion`: A thread about a suggested change.
 */
export type AnnotationType = 'comment' | 'suggestion';

/**
 * An API key in a list.
 */
export type ApiKey = {
    apiKeyName: string;
    /**
     * Whether calls with the key are refused; absent when they are not.
     */
    disabled?: boolean;
    id: ApiKeyId;
    type: ApiKeyType;
};

export type ApiKeyConfig = {
    /**
     * Absent without a configuration.
     */
    aiModelsConfig?: MaskedAiKeys;
    /**
     * The mark that the service writes for anchors of threads; an empty text: none.
     */
    anchorMark: MarkName;
    /**
     * The default for documents without an access type of their own.
     */
    defaultDocumentAccessType: AccessType;
    features: ApiKeyFeatures;
    /**
     * Whether end users may begin private threads.
     */
    isPrivateCommentsEnabled: boolean;
    isThreadEditingEnabled: boolean;
    ownerEmail: string;
    /**
     * The plan of the workspace.
     */
    planInfo: PlanInfo;
    /**
     * The role of end users without a right in what is `public`.
     */
    publicAccessRole: AccessRole;
    /**
     * Whether an end user whose token names an organization becomes its member with the first access.
     */
    requireAutoOrgUser: boolean;
    /**
     * Whether clients must present end-user tokens.
     */
    requireJwtToken: boolean;
};

export type ApiKeyConfigChanged = {
    aiModelsConfig?: MaskedAiKeys;
    anchorMark?: MarkName;
    defaultDocumentAccessType?: AccessType;
    enablePrivateComments?: boolean;
    enableThreadEditing?: boolean;
    features?: ApiKeyFeaturesPatch;
    publicAccessRole?: AccessRole;
    requireAutoOrgUser?: boolean;
    requireJwtToken?: boolean;
};

export type ApiKeyCreated = {
    apiKey: ApiKeyId;
};

/**
 * Features of an API key, enabled by default.
 */
export type ApiKeyFeatures = {
    /**
     * Folders can be listed.
     */
    advancedQueries: boolean;
    /**
     * Users can have notification preferences.
     */
    userNotificationConfig: boolean;
};

/**
 * Features to switch.
 */
export type ApiKeyFeaturesPatch = {
    /**
     * Whether folders can be listed.
     */
    advancedQueries?: boolean | null;
    /**
     * Whether users can have notification preferences.
     */
    userNotificationConfig?: boolean | null;
};

/**
 * An API key: the tenant all data belongs to.
 */
export type ApiKeyId = string;

export type ApiKeyLimits = {
    apiKey: ApiKeyId;
    deliveriesPerSecond: number | null;
    editorsPerDocument: number | null;
    mailsPerDay: number | null;
    /**
     * The default of the deployment when null, here and below.
     */
    readsPerSecond: number | null;
    writesPerSecond: number | null;
};

/**
 * The type of a key.
 *
 * - `testing`: For development.
 * - `production`: For production; limited in number.
 */
export type ApiKeyType = 'testing' | 'production';

/**
 * The reason for a missing reply.
 *
 * - `address_refused`: The address is not allowed.
 * - `dns`: The name was not resolved.
 * - `connect`: The connection was refused.
 * - `tls`: There was no trusted encrypted connection.
 * - `no_root_certificates`: The system has no root certificates.
 * - `timeout`: The connection or the reply took too long.
 * - `protocol`: The connection ended early, or the reply was not HTTP.
 * - `url`: The URL is not callable.
 * - `body`: The message has no body.
 * - `encryption`: The payload could not be encrypted with the public key.
 * - `signature`: The request could not be signed.
 */
export type AttemptFailure = 'address_refused' | 'dns' | 'connect' | 'tls' | 'no_root_certificates' | 'timeout' | 'protocol' | 'url' | 'body' | 'encryption' | 'signature';

/**
 * - `success`: The endpoint took the message.
 * - `failed`: The endpoint did not take the message.
 */
export type AttemptStatus = 'success' | 'failed';

/**
 * Cause of an attempt.
 *
 * - `scheduled`: The schedule.
 * - `manual`: A caller.
 */
export type AttemptTrigger = 'scheduled' | 'manual';

/**
 * An auth token.
 */
export type AuthToken = {
    /**
     * Allowed domains; may be empty.
     */
    domains: Array<Domain>;
    /**
     * Expiry in epoch milliseconds; absent for the current token.
     */
    expiresAt?: number;
    name: string;
    token: string;
};

export type AuthTokenReset = {
    apiKey: ApiKeyId;
    newAuthToken: AuthToken;
};

export type AuthTokens = {
    apiKey: ApiKeyId;
    /**
     * Empty for a key without tokens.
     */
    authTokens: Array<AuthToken>;
};

/**
 * Batching of notifications, by document and by user.
 */
export type BatchConfig = {
    /**
     * The window of a document.
     */
    document?: NotificationWindow;
    /**
     * The window of a user.
     */
    user?: NotificationWindow;
};

/**
 * Batching of notifications, by document and by user.
 */
export type BatchConfigInput = {
    /**
     * The window of a document.
     */
    document?: NotificationWindowInput | null;
    /**
     * The window of a user.
     */
    user?: NotificationWindowInput | null;
};

/**
 * A channel: 1 to 128 letters, digits, `-`, `_`, `.` and `:`. An event in a document has two: `organization.{organizationId}` and `document.{documentId}`. An id with other characters or excessive length is replaced by its SHA-256 in hexadecimal behind a colon: `document:7509e5bd…`. An event about webhooks has none.
 */
export type Channel = string;

/**
 * A comment in replies.
 */
export type Comment = {
    agent?: CommentAgent;
    attachments: Array<CommentAttachment>;
    commentHtml?: string;
    commentId: number;
    commentText?: string;
    context?: JsonObject;
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
    /**
     * Always empty.
     */
    customList?: Array<JsonObject>;
    /**
     * Epoch milliseconds.
     */
    editedAt?: number;
    from: Person;
    isCommentResolverUsed: boolean;
    isCommentTextAvailable: boolean;
    isDraft: boolean;
    isEdited: boolean;
    /**
     * ISO 8601 with milliseconds, UTC.
     */
    lastUpdated: string;
    reactionAnnotationIds: Array<AnnotationId>;
    reactionAnnotations: Array<Reaction>;
    /**
     * Always empty.
     */
    recorders?: Array<JsonObject>;
    sourceType: SourceType;
    status: CommentStatus;
    taggedUserContacts: Array<CommentContact>;
    /**
     * Mentioned users.
     */
    to: Array<Person>;
    /**
     * Mentioned user groups of the organization.
     */
    toOrganizationUserGroup?: Array<MentionedUserGroup>;
    type: CommentKind;
};

/**
 * The agent that wrote a comment.
 */
export type CommentAgent = {
    /**
     * The agent.
     */
    agentId: string;
    /**
     * Display name.
     */
    agentName?: string;
    /**
     * Owner of the agent.
     */
    agentSource: AgentSource;
    /**
     * Kind of the agent.
     */
    agentType: CommentAgentType;
    /**
     * The run in which it wrote the comment.
     */
    executionId?: string;
    /**
     * The reason for its comment.
     */
    reason: AgentReason;
    /**
     * The page it visited.
     */
    url?: string;
};

/**
 * Kind of an agent.
 *
 * - `built-in`: A built-in agent.
 * - `custom`: An agent of the workspace.
 * - `external`: An agent unknown to the service.
 */
export type CommentAgentType = 'built-in' | 'custom' | 'external';

/**
 * A range of a rich text that a thread is about, which the service marks.
 */
export type CommentAnchor = {
    /**
     * The shared editor with the text.
     */
    editorId: EditorId;
    /**
     * The beginning of the range.
     */
    from: RelativePosition;
    /**
     * The mark, which is that of the API key (`anchorMark`).
     */
    mark: MarkName;
    /**
     * The end of the range.
     */
    to: RelativePosition;
};

/**
 * A thread in replies.
 */
export type CommentAnnotation = {
    agent?: CommentAgent;
    /**
     * The range of a rich text that the service marked.
     */
    anchor?: CommentAnchor;
    annotationId: AnnotationId;
    /**
     * Position in the list of the reply, from 1.
     */
    annotationIndex?: number;
    assignedTo?: Person;
    commentType: CommentType;
    comments: Array<Comment>;
    /**
     * Number of all comments, if these are not all.
     */
    commentsCount?: number;
    /**
     * Custom context, with `accessFields` derived from its `access`.
     */
    context?: JsonObject;
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
    /**
     * Always empty.
     */
    customList?: Array<JsonObject>;
    from: Person;
    /**
     * Always false: there are no drafts.
     */
    hasDraftComments?: boolean;
    /**
     * Whether there are more comments: `comments/get` lists all.
     */
    hasMoreComments?: boolean;
    involvedUserIds: Array<UserId>;
    /**
     * Whether it is about the page as a whole.
     */
    isPageAnnotation?: boolean;
    /**
     * Epoch milliseconds.
     */
    lastUpdated: number;
    location?: Location;
    /**
     * A hash of `location`.
     */
    locationId?: number;
    mentionedUserIds: Array<UserId>;
    metadata: Whereabouts;
    pageInfo?: JsonObject;
    positionX?: number;
    positionY?: number;
    priority?: AnnotationPriority;
    resolvedByUserId?: UserId;
    screenHeight?: number;
    screenScrollHeight?: number;
    screenScrollTop?: number;
    screenWidth?: number;
    /**
     * For end users, of a thread whose latest comment is another user's: when the reader saw it last, in epoch milliseconds.
     */
    seenAt?: number;
    sourceType: SourceType;
    status: AnnotationStatus;
    statusUpdatedByUserId?: UserId;
    /**
     * Always empty.
     */
    subscribedGroups?: JsonObject;
    subscribedUsers: {
        [key: string]: AnnotationSubscription;
    };
    suggestion?: Suggestion;
    targetElement?: JsonObject;
    type: AnnotationType;
    /**
     * For end users: whether the latest comment is another user's and newer than `seenAt`.
     */
    unread?: boolean;
    unsubscribedUsers: {
        [key: string]: Unsubscribed;
    };
    visibilityConfig: Visibility;
};

/**
 * The outcome of one thread. A denied thread without an id of the caller's has the name `__service_denied:` and its position.
 */
export type CommentAnnotationAdded = {
    annotationId: AnnotationId;
    commentIds: Array<number>;
    /**
     * The agent's name for its finding.
     */
    findingId?: string;
    message: string;
    success: boolean;
};

export type CommentAnnotationCount = {
    total: number;
    unread: number;
};

/**
 * An update of threads: absent keeps, `null` clears.
 */
export type CommentAnnotationPatch = {
    assignedTo?: Person | null;
    context?: Context | null;
    /**
     * Epoch milliseconds.
     */
    createdAt?: number | null;
    /**
     * The author; cannot be cleared.
     */
    from?: Person | null;
    /**
     * Epoch milliseconds; now when absent.
     */
    lastUpdated?: number | null;
    location?: Location | null;
    priority?: AnnotationPriorityInput | null;
    /**
     * The user who resolved the thread; cleared by a status that is not terminal.
     */
    resolvedByUserId?: UserId | null;
    /**
     * `null` reopens the thread.
     */
    status?: AnnotationStatusInput | null;
    /**
     * The user who changes the status.
     */
    statusUpdatedByUserId?: UserId | null;
    /**
     * Replaces the suggestion; a decision is final. Cannot be cleared.
     */
    suggestion?: NewSuggestion | null;
    targetElement?: JsonObject | null;
    /**
     * `null` makes the thread public.
     */
    visibility?: NewVisibility | null;
};

/**
 * Result of one item of a batch, with a message for people.
 */
export type CommentAnnotationResult = {
    id: AnnotationId;
    message: string;
    success: boolean;
};

export type CommentAnnotationResults = Success & {
    data: {
        [key: string]: CommentAnnotationResult;
    };
};

export type CommentAnnotationsFound = Array<CommentAnnotation | null> | CommentAnnotationsFoundMap;

export type CommentAnnotationsFoundMap = {
    [key: string]: Array<CommentAnnotation>;
};

/**
 * An attached file.
 */
export type CommentAttachment = {
    /**
     * Number of the attachment, unique in the thread.
     */
    attachmentId: number;
    bucketPath?: string;
    metadata?: JsonObject;
    mimeType?: string;
    name?: string;
    /**
     * In bytes.
     */
    size?: number;
    thumbnail?: string;
    /**
     * Kind of file.
     */
    type?: string;
    url?: string;
};

/**
 * A mention in a comment, as `{{userId}}` in its text.
 */
export type CommentContact = {
    /**
     * Profile of the user.
     */
    contact?: Person | null;
    /**
     * The user.
     */
    userId: UserId;
};

/**
 * An event of a thread of comments.
 */
export type CommentEvent = {
    /**
     * The type without its target.
     */
    actionType?: EventAction;
    /**
     * The actor; null when unknown.
     */
    actionUser?: Person | null;
    annotationId: AnnotationId;
    apiKey: ApiKeyId;
    /**
     * The thread; for a deletion its state before.
     */
    commentAnnotation?: CommentAnnotation;
    /**
     * Absent for an event of the thread itself.
     */
    commentId?: number;
    documentId: DocumentId;
    /**
     * Names and metadata of the document and the organization, at the time of the event.
     */
    metadata?: JsonObject;
    newPriority?: AnnotationPriority;
    newStatus?: AnnotationStatus;
    oldStatus?: AnnotationStatus;
    organizationId: OrganizationId;
    platform?: 'sdk';
    /**
     * The feature.
     */
    source?: EventSource;
    /**
     * The comment; for a deletion its state before.
     */
    targetComment?: Comment;
    /**
     * True when members were omitted because of the size.
     */
    truncated?: boolean;
    /**
     * Users who see the thread, unless everybody with access to the document does.
     */
    visibility?: Visibility;
};

/**
 * The common members of every body. A body of more than 256 KiB has only ids in `data`, and `truncated`.
 */
export type CommentEventWebhook = {
    /**
     * Absent after the erasure of a user it named.
     */
    data?: CommentEvent;
    /**
     * True after the erasure of a user that `data` named.
     */
    expunged?: boolean;
    /**
     * The id of the message: the same in every attempt.
     */
    id: MessageId;
    /**
     * The number of the event in its document, from 1 without gaps.
     */
    seq?: number;
    /**
     * Time of the event.
     */
    timestamp: string;
    type: CommentEventWebhookType;
};

export type CommentEventWebhookType = 'comment.add' | 'comment.delete' | 'comment.reaction_add' | 'comment.reaction_delete' | 'comment.update' | 'comment_annotation.add' | 'comment_annotation.assign' | 'comment_annotation.priority_change' | 'comment_annotation.status_change' | 'comment_annotation.subscribe' | 'comment_annotation.suggestion_accept' | 'comment_annotation.suggestion_reject' | 'comment_annotation.unsubscribe';

export type CommentKind = 'text';

/**
 * An update of comments: absent keeps, `null` clears.
 */
export type CommentPatch = {
    attachments?: Array<NewCommentAttachment> | null;
    commentHtml?: string | null;
    commentText?: string | null;
    context?: Context | null;
    /**
     * Epoch milliseconds.
     */
    createdAt?: number | null;
    /**
     * The author; cannot be cleared.
     */
    from?: Person | null;
    isCommentResolverUsed?: boolean | null;
    isCommentTextAvailable?: boolean | null;
    /**
     * Epoch milliseconds; now when absent.
     */
    lastUpdated?: number | null;
    taggedUserContacts?: Array<CommentContact> | null;
};

/**
 * Result of one item of a batch, with a message for people.
 */
export type CommentResult = {
    id: number;
    message: string;
    success: boolean;
};

export type CommentResults = Success & {
    data: {
        [key: string]: CommentResult;
    };
};

export type CommentStatus = 'added' | 'updated';

/**
 * Origin of a thread.
 *
 * - `manual`: Added manually.
 * - `chart`: On a chart.
 * - `suggestion`: Suggestions of older clients.
 */
export type CommentType = 'manual' | 'chart' | 'suggestion';

export type CommentsAddRequest = {
    annotationId: AnnotationId;
    commentData: Array<NewComment>;
    /**
     * Whether to create a missing document.
     */
    createDocument?: boolean | null;
    /**
     * Whether to create a missing organization.
     */
    createOrganization?: boolean | null;
    documentId: DocumentId;
    organizationId: OrganizationId;
    /**
     * Whether authors need a right to the document.
     */
    verifyUserPermissions?: boolean | null;
};

export type CommentsAddResult = Success & {
    data: Array<number>;
};

export type CommentsAnnotationsAddRequest = {
    commentAnnotations: Array<NewCommentAnnotation>;
    /**
     * Whether to create a missing document.
     */
    createDocument?: boolean | null;
    /**
     * Whether to create a missing organization.
     */
    createOrganization?: boolean | null;
    documentId: DocumentId;
    organizationId: OrganizationId;
    /**
     * Whether authors need a right to the document.
     */
    verifyUserPermissions?: boolean | null;
};

export type CommentsAnnotationsAddResult = Success & {
    data: {
        [key: string]: CommentAnnotationAdded;
    };
};

export type CommentsAnnotationsCountRequest = {
    documentIds: Array<DocumentId>;
    organizationId: OrganizationId;
    /**
     * Only threads with these statuses.
     */
    statusIds?: Array<string> | null;
    userId: UserId;
};

export type CommentsAnnotationsCountResult = Success & {
    data: {
        [key: string]: CommentAnnotationCount;
    };
};

export type CommentsAnnotationsDeleteRequest = {
    /**
     * Only threads of this agent.
     */
    agentId?: string | null;
    /**
     * Only suggestions of agents.
     */
    agentSuggestions?: boolean | null;
    /**
     * Only threads of agents that visited one of these pages.
     */
    agentUrls?: Array<string> | null;
    annotationIds?: Array<AnnotationId> | null;
    documentId: DocumentId;
    /**
     * The user who deletes them.
     */
    from?: StrictPerson | null;
    locationIds?: Array<string> | null;
    /**
     * The organization; not required of a server if only one has the document.
     */
    organizationId?: OrganizationId | null;
    /**
     * Whether to write activity records.
     */
    triggerActivities?: boolean | null;
    /**
     * Whether to notify people; webhooks are always sent.
     */
    triggerNotification?: boolean | null;
    /**
     * Only threads of these authors.
     */
    userIds?: Array<UserId> | null;
};

export type CommentsAnnotationsGetRequest = {
    /**
     * Only comments of agents.
     */
    agentComments?: boolean | null;
    /**
     * Only threads of this agent; at most one member may filter by agent.
     */
    agentId?: string | null;
    agentSource?: AgentSource | null;
    /**
     * Only suggestions of agents.
     */
    agentSuggestions?: boolean | null;
    agentType?: CommentAgentType | null;
    annotationIds?: Array<AnnotationId> | null;
    createdAfter?: number | null;
    createdBefore?: number | null;
    documentId?: DocumentId | null;
    /**
     * Threads of several documents.
     */
    documentIds?: Array<DocumentId> | null;
    executionId?: string | null;
    /**
     * Threads of the documents in this folder; `root` for documents in none.
     */
    folderId?: FolderId | null;
    /**
     * Whether to reply with a map by document, without unknown ids.
     */
    groupByDocumentId?: boolean | null;
    locationIds?: Array<string> | null;
    mentionedUserIds?: Array<UserId> | null;
    order?: SortOrder | null;
    organizationId: OrganizationId;
    pageSize?: number | null;
    pageToken?: string | null;
    /**
     * Only threads resolved by this user.
     */
    resolvedBy?: UserId | null;
    statusIds?: Array<string> | null;
    /**
     * Epoch milliseconds.
     */
    updatedAfter?: number | null;
    updatedBefore?: number | null;
    /**
     * Only threads of these authors.
     */
    userIds?: Array<UserId> | null;
};

export type CommentsAnnotationsGetResult = Success & {
    data: CommentAnnotationsFound;
    /**
     * Null on the last page.
     */
    nextPageToken: string | null;
};

export type CommentsAnnotationsSubscribeRequest = {
    annotationId: AnnotationId;
    documentId: DocumentId;
    organizationId: OrganizationId;
    /**
     * Whether to notify people; webhooks are always sent.
     */
    triggerNotification?: boolean | null;
    user: Person;
};

export type CommentsAnnotationsUnsubscribeRequest = {
    annotationId: AnnotationId;
    documentId: DocumentId;
    organizationId: OrganizationId;
    /**
     * Whether to notify people; webhooks are always sent.
     */
    triggerNotification?: boolean | null;
    user: Person;
};

export type CommentsAnnotationsUpdateRequest = {
    annotationIds?: Array<AnnotationId> | null;
    documentId: DocumentId;
    locationIds?: Array<string> | null;
    organizationId: OrganizationId;
    /**
     * Whether to write activity records.
     */
    triggerActivities?: boolean | null;
    /**
     * Whether to notify people; webhooks are always sent.
     */
    triggerNotification?: boolean | null;
    /**
     * Users to replace wherever the threads name them.
     */
    updateUsers?: Array<UserReplacement> | null;
    /**
     * Required unless `updateUsers` is sent.
     */
    updatedData?: CommentAnnotationPatch | null;
    /**
     * Only threads of these authors.
     */
    userIds?: Array<UserId> | null;
};

export type CommentsDeleteRequest = {
    annotationId: AnnotationId;
    /**
     * Only these comments; all without this list.
     */
    commentIds?: Array<number> | null;
    documentId: DocumentId;
    /**
     * The user who deletes them.
     */
    from?: StrictPerson | null;
    organizationId: OrganizationId;
    /**
     * Whether to write activity records.
     */
    triggerActivities?: boolean | null;
    /**
     * Whether to notify people; webhooks are always sent.
     */
    triggerNotification?: boolean | null;
};

export type CommentsGetRequest = {
    annotationId: AnnotationId;
    /**
     * Only these comments.
     */
    commentIds?: Array<number> | null;
    documentId: DocumentId;
    organizationId: OrganizationId;
    pageSize?: number | null;
    pageToken?: string | null;
    /**
     * Only comments of these authors.
     */
    userIds?: Array<UserId> | null;
};

export type CommentsGetResult = Success & {
    data: Array<Comment | null>;
    /**
     * Absent on the last page.
     */
    nextPageToken?: string;
};

export type CommentsReactionsAddRequest = {
    annotationId: AnnotationId;
    commentId: number;
    documentId: DocumentId;
    /**
     * The user who reacts.
     */
    from: Person;
    /**
     * Name of the icon, such as `HEART_FACE`.
     */
    icon: string;
    organizationId: OrganizationId;
    /**
     * Whether to write activity records.
     */
    triggerActivities?: boolean | null;
    /**
     * Whether to notify people; webhooks are always sent.
     */
    triggerNotification?: boolean | null;
};

export type CommentsReactionsAddResult = Success & {
    data: ReactionAdded;
};

export type CommentsReactionsDeleteRequest = {
    annotationId: AnnotationId;
    commentId: number;
    documentId: DocumentId;
    /**
     * A user in the data of others: the author of a comment, an actor. Stored as sent, whether the user is known or not.
     */
    from: StrictPerson;
    /**
     * Name of the icon, such as `HEART_FACE`.
     */
    icon: string;
    organizationId: OrganizationId;
    /**
     * Whether to write activity records.
     */
    triggerActivities?: boolean | null;
    /**
     * Whether to notify people; webhooks are always sent.
     */
    triggerNotification?: boolean | null;
};

export type CommentsReactionsDeleteResult = Success & {
    data: ReactionDeleted;
};

export type CommentsUpdateRequest = {
    annotationId: AnnotationId;
    commentIds: Array<number>;
    documentId: DocumentId;
    organizationId: OrganizationId;
    /**
     * Whether to write activity records.
     */
    triggerActivities?: boolean | null;
    /**
     * Whether to notify people; webhooks are always sent.
     */
    triggerNotification?: boolean | null;
    updatedData: CommentPatch;
};

export type ConfigurationActivitiesUpdateRequest = {
    /**
     * Omitted members keep their values.
     */
    activityServiceConfig: ActivityService;
};

export type ConfigurationAdvancedWebhooksUpdateRequest = {
    /**
     * Stored as sent.
     */
    enableDataProtection?: boolean | null;
    /**
     * Whether bodies are sent as base64.
     */
    encodeData?: boolean | null;
    /**
     * Whether bodies are encrypted.
     */
    encryptData?: boolean | null;
    /**
     * Whether endpoints can be managed and receive deliveries.
     */
    isEnabled?: boolean | null;
    /**
     * The encryption key: an RSA public key in base64, without PEM lines; an empty text unsets it.
     */
    publicKey?: string | null;
};

export type ConfigurationEmailUpdateRequest = {
    /**
     * Omitted members keep their values.
     */
    emailServiceConfig?: EmailService | null;
    /**
     * Service switch.
     */
    useEmailService?: boolean | null;
};

export type ConfigurationNotificationsUpdateRequest = {
    /**
     * Omitted members keep their values.
     */
    notificationServiceConfig?: NotificationServiceInput | null;
    /**
     * Service switch.
     */
    useNotificationService?: boolean | null;
};

export type ConfigurationWebhooksUpdateRequest = {
    /**
     * Service switch.
     */
    useWebhookService?: boolean | null;
    /**
     * Omitted members keep their values.
     */
    webhookServiceConfig?: WebhookService | null;
};

export type Context = {
    access?: {
        [key: string]: string | number;
    };
    [key: string]: unknown;
};

export type Count = {
    count: number;
};

export type CountResult = Success & {
    data: Count;
};

/**
 * The number of the current version.
 */
export type CurrentAgentVersion = {
    version: number;
};

export type CurrentAgentVersionResult = Success & {
    data: CurrentAgentVersion;
};

/**
 * Delay before a notification, in which the recipient may see its cause.
 */
export type DelayConfig = {
    delaySeconds: number | null;
    isEnabled: boolean | null;
};

/**
 * Delay before a notification, in which the recipient may see its cause.
 */
export type DelayConfigInput = {
    delaySeconds?: number | null;
    isEnabled?: boolean | null;
};

export type DeliveriesAttemptsGetRequest = {
    /**
     * Only attempts at this endpoint.
     */
    endpointId?: EndpointId | null;
    /**
     * The `iterator` or the `prevIterator` of another page; the first page when absent.
     */
    iterator?: string | null;
    /**
     * Page size; 50 when absent.
     */
    limit?: number | null;
    /**
     * Only attempts of this message; this or `endpointId` is required.
     */
    messageId?: MessageId | null;
};

export type DeliveriesAttemptsGetResult = Success & {
    data: DeliveryAttempts;
};

export type DeliveriesEndpointsRecoverRequest = {
    endpointId: EndpointId;
    /**
     * At most 14 days ago.
     */
    since: Instant;
};

export type DeliveriesEndpointsRecoverResult = Success & {
    data: RecoveryStarted;
};

export type DeliveriesMessagesGetRequest = {
    /**
     * Only messages that were sent to this endpoint or are pending for it.
     */
    endpointId?: EndpointId | null;
    /**
     * The `iterator` or the `prevIterator` of another page; the newest messages when absent.
     */
    iterator?: string | null;
    /**
     * Page size; 50 when absent.
     */
    limit?: number | null;
    /**
     * Only messages of events since this time.
     */
    since?: Instant | null;
};

export type DeliveriesMessagesGetResult = Success & {
    data: WebhookMessages;
};

export type DeliveriesMessagesResendRequest = {
    /**
     * The receiver: an endpoint, or `basic-raw` or `basic-processed` for a basic webhook.
     */
    endpointId: EndpointId;
    messageId: MessageId;
};

export type DeliveriesMessagesResendResult = Success & {
    data: ResendStarted;
};

/**
 * An attempt.
 */
export type DeliveryAttempt = {
    durationMs: number;
    endpointId: EndpointId;
    /**
     * The reason for a missing reply.
     */
    failure: AttemptFailure | null;
    id: string;
    messageId: MessageId;
    /**
     * The first 16 KiB of the reply. The oldest attempts of a message omit it if its replies exceed 300 KB together.
     */
    response: string;
    /**
     * Whether `response` is base64, because the reply was no text.
     */
    responseIsBase64: boolean;
    status: AttemptStatus;
    /**
     * Null without a reply.
     */
    statusCode: number | null;
    /**
     * Start of the request.
     */
    timestamp: string;
    trigger: AttemptTrigger;
    /**
     * The URL of the request, up to 2,048 characters.
     */
    url: string;
};

export type DeliveryAttempts = {
    /**
     * Attempts of the newest message first; within a message by endpoint, then the newest first. Of each message at an endpoint, the latest ten scheduled and the latest ten manual attempts.
     */
    attempts: Array<DeliveryAttempt>;
    /**
     * Whether there are no older attempts.
     */
    done: boolean;
    /**
     * The next page, of older attempts; null when done.
     */
    iterator: string | null;
    /**
     * The previous page, of newer attempts, sent as `iterator`; null on the first page.
     */
    prevIterator: string | null;
};

/**
 * Reason for disabling an endpoint.
 *
 * - `gone`: Replied 410.
 * - `receiver_request`: Requested by the receiver.
 * - `consecutive_failure`: Every attempt failed for days.
 * - `manual`: Disabled by its owner.
 */
export type DisableReason = 'gone' | 'receiver_request' | 'consecutive_failure' | 'manual';

/**
 * Why the service disabled an endpoint.
 *
 * - `gone`: The receiver replied 410.
 * - `receiver_request`: The receiver asked for it.
 * - `consecutive_failure`: Every attempt failed for days.
 */
export type DisabledBy = 'gone' | 'receiver_request' | 'consecutive_failure';

export type DisabledResult = {
    code?: ItemErrorCode;
    /**
     * As sent.
     */
    disabled: boolean;
    message: string;
    success: boolean;
};

/**
 * A document of an organization.
 */
export type Document = {
    /**
     * The effective access type, inherited or not.
     */
    accessType: AccessType;
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
    disabled: boolean;
    documentId: DocumentId;
    /**
     * Empty when unset.
     */
    documentName: string;
    /**
     * Absent for a document in no folder.
     */
    folderId?: FolderId;
    id: DocumentId;
    /**
     * Whether it is that of the folder, or without one, the default of the API key.
     */
    inheritAccessFromParent: boolean;
    /**
     * Epoch milliseconds.
     */
    lastUpdated: number;
    organizationId: OrganizationId;
    [key: string]: unknown;
};

export type DocumentAccessResult = {
    /**
     * As sent; null when inherited.
     */
    accessType: AccessType | null;
    code?: ItemErrorCode;
    inheritFromParent: boolean;
    message: string;
    success: boolean;
};

/**
 * A document of an organization.
 */
export type DocumentId = string;

export type DocumentPatch = {
    documentId: DocumentId;
    documentName?: string | null;
    [key: string]: unknown;
};

export type DocumentResult = {
    code?: ItemErrorCode;
    id: DocumentId;
    message: string;
    success: boolean;
};

export type DocumentResults = Success & {
    data: {
        [key: string]: DocumentResult;
    };
};

export type DocumentsAccessUpdateRequest = {
    /**
     * The new access type; required unless it is inherited.
     */
    accessType?: AccessType | null;
    documentIds: Array<DocumentId>;
    /**
     * Whether the documents inherit the access type of their folder, or without one, the default of the API key.
     */
    inheritFromParent?: boolean | null;
    organizationId: OrganizationId;
};

export type DocumentsAccessUpdateResult = Success & {
    data: {
        [key: string]: DocumentAccessResult;
    };
};

export type DocumentsAddRequest = {
    /**
     * Whether to create a missing folder at the top.
     */
    createFolder?: boolean | null;
    /**
     * Whether to create a missing organization.
     */
    createOrganization?: boolean | null;
    documents: Array<NewDocument>;
    /**
     * The folder of the documents; none when absent or `root`.
     */
    folderId?: FolderId | null;
    organizationId: OrganizationId;
};

export type DocumentsCountRequest = {
    /**
     * Only documents in no folder; not together with `folderId`.
     */
    excludeFolderDocs?: boolean | null;
    /**
     * Only documents directly in this folder; `root` for those in none.
     */
    folderId?: FolderId | null;
    organizationId: OrganizationId;
};

export type DocumentsDeleteRequest = {
    documentIds: Array<DocumentId>;
    organizationId: OrganizationId;
};

export type DocumentsDisableRequest = {
    /**
     * Whether the end users of the documents are locked out.
     */
    disabled: boolean;
    documentIds: Array<DocumentId>;
    organizationId: OrganizationId;
};

export type DocumentsDisableResult = Success & {
    data: {
        [key: string]: DisabledResult;
    };
};

export type DocumentsGetRequest = {
    /**
     * Only these documents.
     */
    documentIds?: Array<DocumentId> | null;
    /**
     * Only documents in this folder. Documents added or moved a moment ago may be missing.
     */
    folderId?: FolderId | null;
    organizationId: OrganizationId;
    pageSize?: number | null;
    pageToken?: string | null;
};

export type DocumentsGetResult = Success & {
    data: Array<Document>;
    /**
     * With `documentIds`: those of them that are on no page.
     */
    missing?: Array<DocumentId>;
    /**
     * Null on the last page.
     */
    pageToken: string | null;
};

export type DocumentsMoveDocumentsRequest = {
    documentIds: Array<DocumentId>;
    /**
     * The new folder; `root` for none.
     */
    folderId: FolderId;
    organizationId: OrganizationId;
};

export type DocumentsUpdateRequest = {
    documents: Array<DocumentPatch>;
    organizationId: OrganizationId;
};

/**
 * A domain that may use an API key: a host, or `*.` and the suffix of its subdomains. Sent as a host or a URL; kept without scheme, `www.`, port and path.
 */
export type Domain = string;

export type DomainsAdded = {
    domainsAdded: Array<Domain>;
    skippedDomains: Array<Domain>;
};

export type DomainsRemoved = {
    domainsRemoved: Array<Domain>;
    skippedDomains: Array<Domain>;
};

export type Done = {
    success: boolean;
};

export type DoneResult = Success & {
    data: Done;
};

/**
 * The reason for a drop.
 *
 * - `deleted`: The comment, thread, document or recipient was deleted.
 * - `no_access`: The recipient lost access.
 * - `seen`: The recipient has seen it.
 * - `service_off`: The service was switched off.
 * - `trigger_off`: The trigger of the channel was off at the event.
 * - `muted`: The preference of the recipient.
 * - `suppressed`: The address is suppressed: it bounced or complained earlier.
 * - `bounced`: The mail was refused.
 * - `no_address`: The recipient has no address.
 * - `daily_limit`: The API key has reached its limit of mails per day.
 * - `no_public_url`: The deployment has no public URL for the link to unsubscribe.
 * - `no_sender`: The mail has no sender.
 * - `no_provider`: The deployment has no mail provider.
 * - `no_provider_key`: The mail provider has no key.
 * - `unsendable`: The mail cannot be composed.
 * - `rejected`: The mail provider rejected it.
 * - `exhausted`: The mail provider did not accept it in time.
 * - `unanswered`: The mail provider reported no result.
 */
export type DropReason = 'deleted' | 'no_access' | 'seen' | 'service_off' | 'trigger_off' | 'muted' | 'suppressed' | 'bounced' | 'no_address' | 'daily_limit' | 'no_public_url' | 'no_sender' | 'no_provider' | 'no_provider_key' | 'unsendable' | 'rejected' | 'exhausted' | 'unanswered';

/**
 * One editor.
 */
export type Editor = {
    /**
     * The name of the shared type that holds the content.
     */
    contentKey: string;
    /**
     * A string, an object or an array, according to `type` and `format`. Null in a list when it is too large for a reply.
     */
    data: unknown;
    /**
     * The editor.
     */
    id: EditorId;
    lastUpdate: string;
    /**
     * Null when unknown.
     */
    lastUpdatedBy: UserId | null;
    /**
     * The parts that the form cannot hold, such as `mark bold`; at most 50. Absent without `format`.
     */
    lost?: Array<string>;
    /**
     * Always null: the service has no sessions.
     */
    sessionId: string | null;
    type: EditorType;
};

/**
 * The changes of a user at a time.
 */
export type EditorAttribution = {
    /**
     * When the service accepted it, in epoch milliseconds.
     */
    at: number;
    /**
     * As `inserts`.
     */
    deletes: Array<[
        number,
        number,
        number
    ]>;
    /**
     * Yjs items, each as the client, its first clock, and their number.
     */
    inserts: Array<[
        number,
        number,
        number
    ]>;
    /**
     * Null when unknown.
     */
    userId: UserId | null;
};

/**
 * Successive Yjs items of an author.
 */
export type EditorAuthorRange = {
    /**
     * The Yjs client.
     */
    client: number;
    /**
     * The first clock of it.
     */
    clock: number;
    /**
     * The number of items.
     */
    length: number;
    /**
     * Null when unknown.
     */
    userId: UserId | null;
};

export type EditorAuthors = {
    /**
     * By client and clock; items without a range are nobody's.
     */
    ranges: Array<EditorAuthorRange>;
};

export type EditorChanges = {
    /**
     * Who did it, in the order of the edits.
     */
    attributions: Array<EditorAttribution>;
    /**
     * The document before, as one Yjs v1 update.
     */
    before: string;
    /**
     * The changes, with the content of what was deleted meanwhile: one Yjs v1 update.
     */
    update: string;
};

/**
 * A shared editor at the time of sending, or a version of it.
 */
export type EditorContent = {
    /**
     * The content, as returned by `crdt/get`.
     */
    data?: unknown;
    id: EditorId;
    lastUpdate?: string;
    /**
     * The last author, as far as known.
     */
    lastUpdatedBy?: unknown;
    /**
     * The name of the version, if it has one.
     */
    name?: string;
    /**
     * Always null.
     */
    sessionId?: null;
    /**
     * The version, unless the event is a change of the content.
     */
    versionId?: VersionId;
};

/**
 * The content of a shared editor changed, of which changes less than 5 seconds apart are one event; or a version of it was added, or it became an earlier version again.
 */
export type EditorEvent = {
    /**
     * The type without its target.
     */
    actionType?: EventAction;
    /**
     * The actor; null when unknown.
     */
    actionUser?: Person | null;
    apiKey: ApiKeyId;
    /**
     * The editor with its content.
     */
    crdtData: EditorContent;
    documentId: DocumentId;
    /**
     * Names and metadata of the document and the organization, at the time of the event.
     */
    metadata?: JsonObject;
    organizationId: OrganizationId;
    platform?: 'sdk';
    /**
     * The feature.
     */
    source?: EventSource;
    /**
     * True when members were omitted because of the size.
     */
    truncated?: boolean;
};

/**
 * The common members of every body. A body of more than 256 KiB has only ids in `data`, and `truncated`.
 */
export type EditorEventWebhook = {
    /**
     * Absent after the erasure of a user it named.
     */
    data?: EditorEvent;
    /**
     * True after the erasure of a user that `data` named.
     */
    expunged?: boolean;
    /**
     * The id of the message: the same in every attempt.
     */
    id: MessageId;
    /**
     * The number of the event in its document, from 1 without gaps.
     */
    seq?: number;
    /**
     * Time of the event.
     */
    timestamp: string;
    type: EditorEventWebhookType;
};

export type EditorEventWebhookType = 'crdt.restored' | 'crdt.reverted' | 'crdt.update_data' | 'crdt.version_added';

/**
 * A form in which content is shown.
 *
 * - `xml`: Elements and marks; a plain string for `text`.
 * - `json`: ProseMirror JSON for `xml`; a delta for `text`.
 * - `text`: The words.
 * - `html`: HTML.
 * - `markdown`: Markdown, with HTML for what it does not have.
 */
export type EditorFormat = 'xml' | 'json' | 'text' | 'html' | 'markdown';

/**
 * An editor whose data is a CRDT, within a document.
 */
export type EditorId = string;

/**
 * Result of one item of a batch, with a message for people.
 */
export type EditorResult = {
    id: EditorId;
    message: string;
    success: boolean;
};

export type EditorState = {
    /**
     * Whether that is all. Otherwise a call with the state vector of this reply gets the rest.
     */
    isComplete: boolean;
    /**
     * SHA-256 of the state vector and the deleted ranges, in a canonical text form, to compare two replicas. Null while updates wait for missing dependencies.
     */
    stateHash: string | null;
    /**
     * The state vector of the peer after applying them.
     */
    stateVector: string;
    /**
     * The updates that the peer lacks.
     */
    update: string;
};

/**
 * The content type of an editor.
 *
 * - `text`: A string.
 * - `map`: An object.
 * - `array`: An array.
 * - `xml`: A string of elements.
 */
export type EditorType = 'text' | 'map' | 'array' | 'xml';

/**
 * A version of an editor.
 */
export type EditorVersion = {
    /**
     * The number of its edits.
     */
    edits: number;
    /**
     * When its first edit was accepted, in epoch milliseconds.
     */
    from: number;
    kind: EditorVersionKind;
    /**
     * Null without a name.
     */
    name: string | null;
    /**
     * When its last edit was accepted, or it was added, in epoch milliseconds.
     */
    to: number;
    /**
     * The users who wrote it, or added it; nobody who is unknown.
     */
    userIds: Array<UserId>;
    /**
     * The id of the version: an edit, or what was added.
     */
    versionId: VersionId;
};

export type EditorVersionContent = {
    /**
     * The name of the shared type that holds the content.
     */
    contentKey: string;
    /**
     * A string, an object or an array, according to `type` and `format`.
     */
    data: unknown;
    /**
     * The parts that the form cannot hold, such as `mark bold`; at most 50.
     */
    lost: Array<string>;
    type: EditorType;
};

/**
 * The kind of an edit, or of a version of an editor.
 *
 * - `edited`: Edits.
 * - `added`: A version that was added.
 * - `restored`: The editor became an earlier version again.
 * - `reverted`: Edits of a user were undone.
 */
export type EditorVersionKind = 'edited' | 'added' | 'restored' | 'reverted';

export type EditorVersionResult = Success & {
    data: EditorVersion;
};

export type EditorVersionState = {
    /**
     * Null without `format`, and when nothing is under `contentKey`.
     */
    content: EditorVersionContent | null;
    /**
     * Whether that is all. Otherwise a call with the state vector of this reply gets the rest.
     */
    isComplete: boolean;
    /**
     * The state vector of the peer after applying them.
     */
    stateVector: string;
    /**
     * The updates that the peer lacks.
     */
    update: string;
};

export type EditorsAddRequest = {
    /**
     * The name of the shared type that holds the content; `content` when absent.
     */
    contentKey?: string | null;
    /**
     * As `xml`, a string for `text` and `xml`, an object for `map`, an array for `array`.
     */
    data: unknown;
    documentId: DocumentId;
    editorId: EditorId;
    /**
     * The form of `data`; `xml` when absent.
     */
    format?: SentEditorFormat | null;
    organizationId: OrganizationId;
    type: EditorType;
    /**
     * The author of the change.
     */
    userId?: UserId | null;
};

export type EditorsAddResult = Success & {
    /**
     * The parts of `data` that were left out, such as `comment draft`, and those that went with others and that `format` does not show, such as `value Embed`; at most 50. Absent without `format`.
     */
    lost?: Array<string>;
};

export type EditorsAuthorsGetRequest = {
    documentId: DocumentId;
    editorId: EditorId;
    organizationId: OrganizationId;
};

export type EditorsAuthorsGetResult = Success & {
    data: EditorAuthors;
};

export type EditorsChangesGetRequest = {
    documentId: DocumentId;
    editorId: EditorId;
    /**
     * From this time on; from the oldest edit that is kept when absent.
     */
    from?: Instant | null;
    organizationId: OrganizationId;
    /**
     * Up to this time; until now when absent.
     */
    to?: Instant | null;
    /**
     * Only the attributions of this user.
     */
    userId?: UserId | null;
};

export type EditorsChangesGetResult = Success & {
    data: EditorChanges;
};

export type EditorsChangesRevertRequest = {
    /**
     * The user whose changes are taken back.
     */
    authorId: UserId;
    documentId: DocumentId;
    editorId: EditorId;
    /**
     * From this time on; from the oldest edit that is kept when absent.
     */
    from?: Instant | null;
    organizationId: OrganizationId;
    /**
     * Up to this time; until now when absent.
     */
    to?: Instant | null;
    /**
     * The author of the change.
     */
    userId?: UserId | null;
};

export type EditorsDeleteRequest = {
    documentId: DocumentId;
    /**
     * Only these editors; every editor of the document when absent. For a document with very many, the call deletes as many as the reply has room for; repeat it for the rest.
     */
    editorIds?: Array<EditorId> | null;
    organizationId: OrganizationId;
};

export type EditorsDeleteResult = Success & {
    data: {
        [key: string]: EditorResult;
    };
};

export type EditorsGetRequest = {
    /**
     * The name of a shared type of any type: `text`, `map`, `array` or `xml`; that of the editor when absent. Editors with nothing under this name are left out.
     */
    contentKey?: string | null;
    documentId: DocumentId;
    /**
     * Only this editor; every editor of the document when absent.
     */
    editorId?: EditorId | null;
    /**
     * The form of the content; `xml` when absent. Maps and arrays are JSON in every form.
     */
    format?: EditorFormat | null;
    organizationId: OrganizationId;
    /**
     * Without `editorId`; a page has fewer editors if they are large.
     */
    pageSize?: number | null;
    pageToken?: string | null;
};

export type EditorsGetResult = Success & {
    data: Array<Editor>;
    /**
     * Null on the last page.
     */
    nextPageToken: string | null;
};

export type EditorsStateGetRequest = {
    documentId: DocumentId;
    editorId: EditorId;
    organizationId: OrganizationId;
    /**
     * The state vector of the peer in Yjs encoding; empty when absent.
     */
    stateVector?: string | null;
};

export type EditorsStateGetResult = Success & {
    data: EditorState;
};

export type EditorsUpdateRequest = {
    /**
     * The name of the shared type that holds the content; that of the editor when absent. Another name than the editor's is refused unless something of this type is there.
     */
    contentKey?: string | null;
    /**
     * As `xml`, a string for `text` and `xml`, an object for `map`, an array for `array`.
     */
    data: unknown;
    documentId: DocumentId;
    editorId: EditorId;
    /**
     * The form of `data`; `xml` when absent.
     */
    format?: SentEditorFormat | null;
    organizationId: OrganizationId;
    type: EditorType;
    /**
     * The author of the change.
     */
    userId?: UserId | null;
};

export type EditorsUpdateResult = Success & {
    /**
     * The parts of `data` that were left out, such as `comment draft`, and those that went with others and that `format` does not show, such as `value Embed`; at most 50. Absent without `format`.
     */
    lost?: Array<string>;
};

export type EditorsUpdatesAddRequest = {
    /**
     * The name of the shared type that holds the content of an added editor; `content` when absent.
     */
    contentKey?: string | null;
    documentId: DocumentId;
    editorId: EditorId;
    organizationId: OrganizationId;
    /**
     * The type of the content. A missing editor is added with this type. With `contentKey` it also becomes the type of an editor that only peers edited and that has no text yet.
     */
    type?: EditorType | null;
    /**
     * Each of at most 4.1 MB before base64.
     */
    updates: Array<string>;
    /**
     * The author of the change.
     */
    userId?: UserId | null;
};

export type EditorsVersionsAddRequest = {
    documentId: DocumentId;
    editorId: EditorId;
    name?: string | null;
    organizationId: OrganizationId;
    /**
     * The user who adds it.
     */
    userId?: UserId | null;
};

export type EditorsVersionsDeleteRequest = {
    documentId: DocumentId;
    editorId: EditorId;
    organizationId: OrganizationId;
    versionId: VersionId;
};

export type EditorsVersionsGetRequest = {
    /**
     * A time.
     */
    at?: Instant | null;
    /**
     * The name of a shared type of any type; that of the editor when absent.
     */
    contentKey?: string | null;
    documentId: DocumentId;
    editorId: EditorId;
    /**
     * The form of the content, which the reply has only then. Maps and arrays are JSON in every form.
     */
    format?: EditorFormat | null;
    organizationId: OrganizationId;
    /**
     * The state vector of a peer in Yjs encoding: the reply has what it lacks. Empty when absent.
     */
    stateVector?: string | null;
    /**
     * The version; either this or `at` is sent.
     */
    versionId?: VersionId | null;
};

export type EditorsVersionsGetResult = Success & {
    data: EditorVersionState;
};

export type EditorsVersionsListRequest = {
    /**
     * Only versions that were added.
     */
    added?: boolean | null;
    documentId: DocumentId;
    editorId: EditorId;
    /**
     * Only versions that end at this time or later.
     */
    from?: Instant | null;
    organizationId: OrganizationId;
    /**
     * A page has fewer versions if they have many edits.
     */
    pageSize?: number | null;
    pageToken?: string | null;
    /**
     * Only versions that begin up to this time.
     */
    to?: Instant | null;
    /**
     * Only versions that this user wrote or added.
     */
    userId?: UserId | null;
};

export type EditorsVersionsListResult = Success & {
    data: Array<EditorVersion>;
    /**
     * Null on the last page.
     */
    nextPageToken: string | null;
};

export type EditorsVersionsRestoreRequest = {
    /**
     * A time.
     */
    at?: Instant | null;
    documentId: DocumentId;
    editorId: EditorId;
    organizationId: OrganizationId;
    /**
     * The author of the change.
     */
    userId?: UserId | null;
    /**
     * The version; either this or `at` is sent.
     */
    versionId?: VersionId | null;
};

export type EditorsVersionsUpdateRequest = {
    documentId: DocumentId;
    editorId: EditorId;
    name: string;
    organizationId: OrganizationId;
    versionId: VersionId;
};

export type EffectivePermission = {
    accessRole?: AccessRole;
    /**
     * The effective access type, inherited or not; absent for organizations.
     */
    accessType?: AccessType;
    error?: string;
    errorCode?: PermissionErrorCode;
    /**
     * Expiry of the right, in epoch seconds; never when absent.
     */
    expiresAt?: number;
    /**
     * The user group that gives the right.
     */
    organizationUserGroupId?: GroupId;
};

/**
 * Email configuration.
 */
export type EmailConfig = {
    /**
     * Transport and triggers.
     */
    emailServiceConfig: EmailService;
    /**
     * Service switch.
     */
    useEmailService: boolean;
};

export type EmailConfigResult = Success & {
    data: EmailConfig;
};

/**
 * The `emailServiceConfig`; absent members were never set.
 */
export type EmailService = {
    /**
     * Key at the provider; an empty text unsets it.
     */
    apiKey?: Secret | null;
    /**
     * Template of comment mails.
     */
    commentTemplateId?: string | null;
    /**
     * Sender company name.
     */
    fromCompany?: string | null;
    /**
     * Sender address; an empty text unsets it.
     */
    fromEmail?: string | null;
    /**
     * Template of mention mails.
     */
    tagTemplateId?: string | null;
    /**
     * Events that send mail.
     */
    triggers?: Triggers | null;
    /**
     * Type of the sender.
     */
    type?: EmailType | null;
};

/**
 * The sender of mails.
 *
 * - `default`: The deployment itself.
 * - `thirdparty`: The configured provider.
 * - `custom`: Set by the first enabling; the same as `default`.
 */
export type EmailType = 'default' | 'thirdparty' | 'custom';

export type EmptyResult = Success & {
    data: null;
};

/**
 * A webhook endpoint was added, changed, deleted or disabled, or soon will be.
 */
export type EndpointEvent = {
    apiKey: ApiKeyId;
    endpointId: EndpointId;
    /**
     * Elapsed share of the time after which it is disabled, in `endpoint.failing`.
     */
    percent?: number;
    /**
     * The reason, in `endpoint.disabled`.
     */
    reason?: DisableReason;
};

/**
 * The common members of every body. A body of more than 256 KiB has only ids in `data`, and `truncated`.
 */
export type EndpointEventWebhook = {
    /**
     * Absent after the erasure of a user it named.
     */
    data?: EndpointEvent;
    /**
     * True after the erasure of a user that `data` named.
     */
    expunged?: boolean;
    /**
     * The id of the message: the same in every attempt.
     */
    id: MessageId;
    /**
     * The number of the event in its document, from 1 without gaps.
     */
    seq?: number;
    /**
     * Time of the event.
     */
    timestamp: string;
    type: EndpointEventWebhookType;
};

export type EndpointEventWebhookType = 'endpoint.created' | 'endpoint.deleted' | 'endpoint.disabled' | 'endpoint.failing' | 'endpoint.updated';

/**
 * An endpoint that receives webhooks.
 */
export type EndpointId = string;

/**
 * The caller's name of an endpoint: 1 to 256 letters, digits, `-`, `_` and `.`.
 */
export type EndpointUid = string;

/**
 * An http(s) URL of at most 65536 characters.
 */
export type EndpointUrl = string;

/**
 * The target of an activity: a thread, a recording, or a custom entity.
 */
export type EntityId = string;

export type ErasureJob = {
    /**
     * The job, to request its progress for 30 days.
     */
    jobId: JobId;
    /**
     * One task for each user.
     */
    tasksCount: number;
};

export type ErasureStatus = {
    /**
     * Whether all users are erased. Remaining traces expire: events with recipients after 90 days, backups after 35; live state and the content of editors stay as callers wrote them.
     */
    isDeleteCompleted: boolean;
    /**
     * Time of the last erasure, in epoch milliseconds; null before the first one.
     */
    lastTaskCompletedTime: number | null;
    /**
     * Users who are not erased yet: all, until the last step of the job, which is for all of them.
     */
    tasksLeft: number;
};

export type Error = {
    /**
     * The status again, for callers of operations that say so: its HTTP number, or a word.
     */
    code?: number | string;
    details?: ErrorDetails;
    /**
     * One sentence for people.
     */
    message: string;
    status: ErrorStatus;
};

/**
 * Invalid members of the body.
 */
export type ErrorDetails = {
    issues?: Array<ErrorIssue>;
};

/**
 * An invalid member of the body.
 */
export type ErrorIssue = {
    code: IssueCode;
    message: string;
    /**
     * The path from the body: names of members, and positions in arrays.
     */
    path: Array<string | number>;
};

/**
 * The reply of a failed call.
 */
export type ErrorResponse = {
    error: Error;
};

export type ErrorStatus = 'INVALID_ARGUMENT' | 'FAILED_PRECONDITION' | 'PERMISSION_DENIED' | 'NOT_FOUND' | 'ALREADY_EXISTS' | 'ABORTED' | 'RESOURCE_EXHAUSTED' | 'INTERNAL' | 'UNAVAILABLE';

export type EventAction = 'add' | 'assign' | 'delete' | 'done' | 'priority_change' | 'reaction_add' | 'reaction_delete' | 'restored' | 'reverted' | 'status_change' | 'subscribe' | 'suggestion_accept' | 'suggestion_reject' | 'unsubscribe' | 'update' | 'updateData' | 'version_added';

export type EventSource = 'comment' | 'crdt' | 'recorder';

/**
 * The type of an event: 1 to 256 letters, digits, `-`, `_` and `.`.
 */
export type EventType = string;

/**
 * Severity of a finding.
 */
export type FindingSeverity = 'critical' | 'high' | 'medium' | 'low' | 'info';

export type FindingType = 'text' | 'pin' | 'page';

/**
 * A folder of an organization.
 */
export type Folder = {
    /**
     * The effective access type, inherited or not.
     */
    accessType: AccessType;
    /**
     * From `root` down to the direct parent.
     */
    ancestors: Array<FolderId>;
    apiKey: ApiKeyId;
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
    folderId: FolderId;
    /**
     * Empty when unset.
     */
    folderName: string;
    inheritAccessFromParent: boolean;
    /**
     * Epoch milliseconds.
     */
    lastUpdated: number;
    organizationId: OrganizationId;
    /**
     * `root` at the top.
     */
    parentFolderId: FolderId;
    /**
     * Present in nested lists.
     */
    subFolders?: Array<Folder>;
};

export type FolderAccessResult = {
    /**
     * Null when inherited.
     */
    accessType: AccessType | null;
    code?: ItemErrorCode;
    inheritFromParent: boolean;
    message: string;
    success: boolean;
};

/**
 * A folder of an organization.
 */
export type FolderId = string;

export type FolderPatch = {
    folderId: FolderId;
    folderName?: string | null;
    /**
     * The new parent folder; `root` for the top.
     */
    parentFolderId?: FolderId | null;
};

export type FolderResult = {
    code?: ItemErrorCode;
    id: FolderId;
    message: string;
    success: boolean;
};

export type FolderResults = Success & {
    data: {
        [key: string]: FolderResult;
    };
};

export type FoldersAccessUpdateRequest = {
    /**
     * The new access type; required unless it is inherited.
     */
    accessType?: AccessType | null;
    folderIds: Array<FolderId>;
    /**
     * Whether the folder inherits the access type of its parent.
     */
    inheritFromParent?: boolean | null;
    organizationId: OrganizationId;
};

export type FoldersAccessUpdateResult = Success & {
    data: {
        [key: string]: FolderAccessResult;
    };
};

export type FoldersAddRequest = {
    /**
     * Whether to create a missing organization.
     */
    createOrganization?: boolean | null;
    folders: Array<NewFolder>;
    organizationId: OrganizationId;
};

export type FoldersDeleteRequest = {
    folderId: FolderId;
    organizationId: OrganizationId;
};

export type FoldersGetRequest = {
    /**
     * Only this folder.
     */
    folderId?: FolderId | null;
    /**
     * Levels of `subFolders`.
     */
    maxDepth?: number | null;
    organizationId: OrganizationId;
    pageSize?: number | null;
    pageToken?: string | null;
};

export type FoldersGetResult = Success & {
    data: Array<Folder>;
    /**
     * Null on the last page.
     */
    nextPageToken: string | null;
};

export type FoldersUpdateRequest = {
    folders: Array<FolderPatch>;
    organizationId: OrganizationId;
};

/**
 * A user group of an organization.
 */
export type GroupId = string;

/**
 * A time as epoch milliseconds, or as ISO 8601 in UTC: `2026-11-20T08:00:00.123Z`.
 */
export type Instant = number | string;

/**
 * Kind of an issue.
 *
 * - `invalid_json`: The body is not JSON.
 * - `required`: The member is not sent.
 * - `duplicate`: The member is sent twice.
 * - `invalid_type`: The value is of another type.
 * - `invalid_value`: The value is none of those that are allowed here.
 * - `unknown_member`: The operation deletes something and has no such member.
 */
export type IssueCode = 'invalid_json' | 'required' | 'duplicate' | 'invalid_type' | 'invalid_value' | 'unknown_member';

/**
 * Error code of an item.
 *
 * - `not-found`: A resource of the item does not exist; not safe to retry.
 * - `already-exists`: The resource exists already.
 * - `invalid-argument`: The state does not allow the item.
 * - `resource-exhausted`: A limit is reached.
 * - `internal`: A failure of the server; safe to retry.
 */
export type ItemErrorCode = 'not-found' | 'already-exists' | 'invalid-argument' | 'resource-exhausted' | 'internal';

/**
 * The id of an item in Yjs.
 */
export type ItemId = {
    /**
     * The client that wrote it.
     */
    client: number;
    /**
     * Number of the item among those of the client.
     */
    clock: number;
};

/**
 * Result of one item of a batch, with a message for people.
 */
export type ItemOutcome = {
    message: string;
    success: boolean;
};

export type ItemOutcomes = Success & {
    data: {
        [key: string]: ItemOutcome;
    };
};

/**
 * A job in the background.
 */
export type JobId = string;

/**
 * Any JSON object.
 */
export type JsonObject = {
    [key: string]: unknown;
};

export type LiveState = {
    data: JsonObject;
    /**
     * Epoch milliseconds.
     */
    lastUpdated: number;
    liveStateDataId: LiveStateDataId;
    /**
     * Number of writes, from 1.
     */
    revision: number;
};

export type LiveStateBroadcastRequest = {
    /**
     * Any object.
     */
    data: JsonObject;
    documentId: DocumentId;
    liveStateDataId: LiveStateDataId;
    /**
     * Whether to merge `data` into the stored object: objects merge at any depth, `null` removes a member, all other values replace. Otherwise `data` replaces it.
     */
    merge?: boolean | null;
    organizationId: OrganizationId;
};

export type LiveStateBroadcastWrapped = {
    data: LiveStateBroadcastRequest;
};

/**
 * A piece of live state, within a document.
 */
export type LiveStateDataId = string;

export type LiveStateGetRequest = {
    documentId: DocumentId;
    /**
     * Only this entry.
     */
    liveStateDataId?: LiveStateDataId | null;
    organizationId: OrganizationId;
    pageSize?: number | null;
    pageToken?: string | null;
};

export type LiveStateGetResult = Success & {
    data: Array<LiveState>;
    /**
     * Null on the last page.
     */
    pageToken: string | null;
};

export type Location = {
    id: string | number;
    [key: string]: unknown;
};

/**
 * The version that an editor became.
 */
export type MadeEditorVersion = {
    /**
     * Null when nothing had to change.
     */
    version: EditorVersion | null;
};

export type MadeEditorVersionResult = Success & {
    data: MadeEditorVersion;
};

/**
 * The name of a mark in the schema of an editor: a letter, and up to 63 letters, digits, `_` and `-`; or nothing, which names no mark.
 */
export type MarkName = string;

/**
 * A masked secret.
 */
export type MaskedAiKey = {
    displayText: string;
};

export type MaskedAiKeys = {
    anthropic?: MaskedAiKey;
    gemini?: MaskedAiKey;
    openai?: MaskedAiKey;
};

/**
 * A server whose tools an agent may use.
 */
export type McpServer = {
    allowedTools?: Array<string> | null;
    auth?: AgentAuth | null;
    description?: string | null;
    id: string;
    name?: string | null;
    /**
     * 30,000 when absent.
     */
    timeoutMs?: number;
    transport?: McpTransport | null;
    url: AgentAddress;
    [key: string]: unknown;
};

/**
 * Transport of a tool server.
 */
export type McpTransport = 'http';

/**
 * A mentioned user group.
 */
export type MentionedUserGroup = {
    groupId: GroupId;
    groupName?: string;
    organizationUserGroupId: GroupId;
};

/**
 * Deliveries of a webhook message fail, or succeed after failures.
 */
export type MessageEvent = {
    apiKey: ApiKeyId;
    /**
     * Attempts so far.
     */
    attempts: number;
    endpointId: EndpointId;
    messageId: MessageId;
    /**
     * The type of its event.
     */
    messageType: string;
    /**
     * The last HTTP status of the endpoint; null without a reply.
     */
    statusCode: number | null;
};

/**
 * The common members of every body. A body of more than 256 KiB has only ids in `data`, and `truncated`.
 */
export type MessageEventWebhook = {
    /**
     * Absent after the erasure of a user it named.
     */
    data?: MessageEvent;
    /**
     * True after the erasure of a user that `data` named.
     */
    expunged?: boolean;
    /**
     * The id of the message: the same in every attempt.
     */
    id: MessageId;
    /**
     * The number of the event in its document, from 1 without gaps.
     */
    seq?: number;
    /**
     * Time of the event.
     */
    timestamp: string;
    type: MessageEventWebhookType;
};

export type MessageEventWebhookType = 'message.attempt.exhausted' | 'message.attempt.failing' | 'message.attempt.recovered';

/**
 * A message to webhook endpoints.
 */
export type MessageId = string;

/**
 * A new activity, as sent.
 */
export type NewActivity = {
    /**
     * URL or name of an icon.
     */
    actionIcon?: string | null;
    /**
     * The action, such as `comment.add`.
     */
    actionType: string;
    /**
     * The actor.
     */
    actionUser: Person;
    /**
     * Changed members.
     */
    changes?: NewActivityChanges | null;
    /**
     * The display message, with `{{variable}}` placeholders.
     */
    displayMessageTemplate?: string | null;
    /**
     * Values of the variables.
     */
    displayMessageTemplateData?: JsonObject | null;
    /**
     * Snapshot of the entity.
     */
    entityData?: unknown;
    /**
     * Snapshot of the target entity.
     */
    entityTargetData?: unknown;
    /**
     * The feature.
     */
    featureType: ActivityFeature;
    /**
     * Generated when absent.
     */
    id?: ActivityId | null;
    /**
     * Whether clients render the message.
     */
    isActivityResolverUsed?: boolean | null;
    /**
     * The target; required for custom activities.
     */
    targetEntityId?: EntityId | null;
    /**
     * A part of the target.
     */
    targetSubEntityId?: EntityId | null;
};

export type NewActivityChanges = {
    [key: string]: ValueChangeInput;
};

/**
 * A new comment as sent.
 */
export type NewComment = {
    /**
     * The agent that wrote it.
     */
    agent?: NewCommentAgent | null;
    attachments?: Array<NewCommentAttachment> | null;
    commentHtml?: string | null;
    /**
     * Number of the comment; generated when absent.
     */
    commentId?: number | null;
    commentText?: string | null;
    context?: Context | null;
    /**
     * Epoch milliseconds; now when absent.
     */
    createdAt?: number | null;
    /**
     * The author.
     */
    from: Person;
    isCommentResolverUsed?: boolean | null;
    isCommentTextAvailable?: boolean | null;
    /**
     * Epoch milliseconds; now when absent.
     */
    lastUpdated?: number | null;
    /**
     * Mentioned users.
     */
    taggedUserContacts?: Array<CommentContact> | null;
    /**
     * Whether to write activity records.
     */
    triggerActivities?: boolean | null;
    /**
     * Whether to notify people; webhooks are always sent.
     */
    triggerNotification?: boolean | null;
};

/**
 * An agent as sent.
 */
export type NewCommentAgent = {
    agentId: string;
    /**
     * Required for an external agent.
     */
    agentName?: string | null;
    agentSource: AgentSource;
    executionId?: string | null;
    reason: AgentReason;
    url?: string | null;
};

/**
 * A thread as sent.
 */
export type NewCommentAnnotation = {
    /**
     * The range of a rich text that the service marks with the id of the thread.
     */
    anchor?: CommentAnchor | null;
    /**
     * Generated when absent; without colons.
     */
    annotationId?: AnnotationId | null;
    assignedTo?: Person | null;
    /**
     * Comments of the thread, the first one first.
     */
    commentData: Array<NewComment>;
    /**
     * `manual` when absent.
     */
    commentType?: CommentType | null;
    context?: Context | null;
    /**
     * Epoch milliseconds; now when absent.
     */
    createdAt?: number | null;
    /**
     * Whether it is about the page as a whole.
     */
    isPageAnnotation?: boolean | null;
    /**
     * Epoch milliseconds; now when absent.
     */
    lastUpdated?: number | null;
    location?: Location | null;
    pageInfo?: JsonObject | null;
    positionX?: number | null;
    positionY?: number | null;
    priority?: AnnotationPriorityInput | null;
    screenHeight?: number | null;
    screenScrollHeight?: number | null;
    screenScrollTop?: number | null;
    screenWidth?: number | null;
    /**
     * `OPEN` when absent.
     */
    status?: AnnotationStatusInput | null;
    /**
     * The suggestion; only for the type `suggestion`.
     */
    suggestion?: NewSuggestion | null;
    /**
     * The element the thread is pinned to.
     */
    targetElement?: JsonObject | null;
    /**
     * `comment` when absent.
     */
    type?: AnnotationType | null;
    visibility?: NewVisibility | null;
};

/**
 * An attachment as sent.
 */
export type NewCommentAttachment = {
    /**
     * Number of the attachment; generated when absent.
     */
    attachmentId?: number | null;
    bucketPath?: string | null;
    metadata?: JsonObject | null;
    mimeType?: string | null;
    name?: string | null;
    /**
     * In bytes.
     */
    size?: number | null;
    thumbnail?: string | null;
    /**
     * Kind of file.
     */
    type?: string | null;
    url?: string | null;
};

export type NewDocument = {
    documentId: DocumentId;
    documentName?: string | null;
    [key: string]: unknown;
};

export type NewFolder = {
    /**
     * The access type; inherited from the parent when absent.
     */
    accessType?: AccessType | null;
    folderId: FolderId;
    folderName?: string | null;
    /**
     * The parent folder; `root` when absent.
     */
    parentFolderId?: FolderId | null;
};

export type NewOrganization = {
    organizationId: OrganizationId;
    organizationName?: string | null;
    [key: string]: unknown;
};

export type NewPermissions = {
    resources: Array<ResourcePermission>;
};

/**
 * A user as sent: complete to add, partial to update.
 */
export type NewPresenceUser = {
    /**
     * At most 1 KB; `{}` unsets it.
     */
    data?: JsonObject | null;
    /**
     * E-mail address.
     */
    email?: string | null;
    /**
     * Display name.
     */
    name?: string | null;
    /**
     * Status, such as `online` (the default of a new record), `away` or `offline`.
     */
    status?: string | null;
    /**
     * The caller's id.
     */
    userId: UserId;
};

export type NewRecordedTime = {
    /**
     * In milliseconds.
     */
    duration: RecordingDuration;
};

export type NewRecording = {
    /**
     * Generated when absent.
     */
    annotationId?: AnnotationId | null;
    attachments: Array<NewRecordingAttachment>;
    /**
     * Generated unless a version exists.
     */
    displayName?: string | null;
    /**
     * The author of the recording.
     */
    from?: Person | null;
    /**
     * `floating` unless a version exists.
     */
    mode?: RecordingMode | null;
    recordedTime: NewRecordedTime;
    /**
     * `audio` unless a version exists.
     */
    recordingType?: RecordingType | null;
};

export type NewRecordingAttachment = {
    /**
     * Generated when absent.
     */
    attachmentId?: number | null;
    mimeType?: string | null;
    name?: string | null;
    /**
     * In bytes.
     */
    size?: number | null;
    type?: RecordingFileType | null;
    /**
     * URL of the file.
     */
    url: string;
};

/**
 * A suggestion as sent, with custom members.
 */
export type NewSuggestion = {
    /**
     * Outcome of the suggestion; `pending` for a new one.
     */
    status?: SuggestionStatus | null;
    [key: string]: unknown;
};

/**
 * A user as sent.
 */
export type NewUser = {
    /**
     * Role of the user; only on v2 paths.
     */
    accessRole?: AccessRole | null;
    /**
     * Color of cursor and avatar.
     */
    color?: string | null;
    /**
     * E-mail address, for notifications; an empty or invalid one gets none.
     */
    email?: string | null;
    /**
     * Letter of the avatar; the first of `name` unless sent.
     */
    initial?: string | null;
    /**
     * Whether the user is an administrator.
     */
    isAdmin?: boolean | null;
    /**
     * Whether the user is anonymous.
     */
    isAnonymous?: boolean | null;
    /**
     * Whether the user is a guest.
     */
    isGuest?: boolean | null;
    /**
     * Whether the user is read-only.
     */
    isReadOnly?: boolean | null;
    /**
     * Display name.
     */
    name?: string | null;
    /**
     * Address of a picture.
     */
    photoUrl?: string | null;
    /**
     * Plan in the caller's product.
     */
    plan?: string | null;
    /**
     * Color of text on `color`.
     */
    textColor?: string | null;
    /**
     * Kind of user, such as `signedIn`.
     */
    type?: string | null;
    /**
     * The caller's id.
     */
    userId: UserId;
};

export type NewUserGroup = {
    groupId: GroupId;
    groupName?: string | null;
};

/**
 * The visibility of a thread as sent; public when `type` is absent.
 */
export type NewVisibility = {
    /**
     * The organization whose members see it; required for `organizationPrivate`.
     */
    organizationId?: OrganizationId | null;
    /**
     * Further organizations whose members see it.
     */
    organizationIds?: Array<OrganizationId> | null;
    /**
     * Visibility.
     */
    type?: VisibilityType | null;
    /**
     * Users who see it; required for `restricted`.
     */
    userIds?: Array<UserId> | null;
};

/**
 * A notification in replies.
 */
export type Notification = {
    actionUser?: Person;
    /**
     * As it was sent.
     */
    context?: AccessContext;
    displayBodyMessage?: string;
    displayBodyMessageTemplate?: string;
    displayBodyMessageTemplateData?: JsonObject;
    displayHeadlineMessageTemplate?: string;
    displayHeadlineMessageTemplateData: JsonObject;
    id: NotificationId;
    isNotificationResolverUsed: boolean;
    location?: JsonObject;
    locationId?: string;
    /**
     * Data as sent, with `apiKey`, `documentId` and `organizationId`.
     */
    metadata: JsonObject;
    notificationSource: NotificationSource;
    notificationSourceData: JsonObject;
    /**
     * Whether all users with access to the document are recipients.
     */
    notifyAll: boolean;
    /**
     * Named recipients by user id.
     */
    notifyUsers: {
        [key: string]: boolean;
    };
    /**
     * Named recipients by user id, as in `notifyUsers`.
     */
    notifyUsersByUserId: {
        [key: string]: boolean;
    };
    persistReadForUsers: boolean;
    readByUserIds: Array<UserId>;
    targetAnnotationId?: AnnotationId;
    /**
     * Epoch milliseconds.
     */
    timestamp: number;
};

export type NotificationAdded = {
    id: NotificationId;
    message: string;
    success: boolean;
};

/**
 * A channel of a notification.
 *
 * - `inbox`: In the product.
 * - `email`: By mail.
 * - `chat`: By chat.
 */
export type NotificationChannel = 'inbox' | 'email' | 'chat';

/**
 * The preference of each channel; absent when unset.
 */
export type NotificationChannels = {
    /**
     * By chat, where a chat integration is configured.
     */
    chat?: NotificationLevel | null;
    /**
     * By mail.
     */
    email?: NotificationLevel | null;
    /**
     * In the product.
     */
    inbox?: NotificationLevel | null;
};

/**
 * Notification configuration.
 */
export type NotificationConfig = {
    /**
     * Triggers, delay and batching.
     */
    notificationServiceConfig: NotificationService;
    /**
     * Service switch.
     */
    useNotificationService: boolean;
};

export type NotificationConfigResult = Success & {
    data: NotificationConfig;
};

/**
 * How many notifications of a user are unread and unseen.
 */
export type NotificationCount = {
    /**
     * Whether there are older notifications that are not counted.
     */
    hasMore: boolean;
    /**
     * Notifications that the user has not read.
     */
    unread: number;
    /**
     * Unread ones that came after the user saw the inbox last.
     */
    unseen: number;
};

/**
 * The id of a notification: 1 to 256 letters, digits, `_` and `-`.
 */
export type NotificationId = string;

/**
 * The activities that a user wants to be notified of.
 *
 * - `ALL`: Everything.
 * - `MINE`: Only activities that involve the user.
 * - `NONE`: Nothing.
 */
export type NotificationLevel = 'ALL' | 'MINE' | 'NONE';

export type NotificationPatch = {
    actionUser?: Person | null;
    displayBodyMessage?: string | null;
    displayHeadlineMessageTemplate?: string | null;
    displayHeadlineMessageTemplateData?: JsonObject | null;
    id: NotificationId;
    notificationSourceData?: JsonObject | null;
    /**
     * Whether users who have read it still find it in their list.
     */
    persistReadForUsers?: boolean | null;
    /**
     * The users who have read it.
     */
    readByUserIds?: Array<UserId> | null;
};

export type NotificationPreference = {
    config: NotificationChannels;
    metadata: NotificationPreferenceScope;
};

/**
 * Result of one item of a batch, with a message for people.
 */
export type NotificationPreferenceResult = {
    /**
     * The first document of the request.
     */
    documentId?: DocumentId;
    message: string;
    success: boolean;
    userId: UserId;
};

export type NotificationPreferenceScope = {
    /**
     * Absent for end users.
     */
    apiKey?: ApiKeyId;
    /**
     * Absent: the documents that have no preference of their own.
     */
    documentId?: DocumentId;
    organizationId: OrganizationId;
    userId: UserId;
};

/**
 * Result of one item of a batch, with a message for people.
 */
export type NotificationResult = {
    id: NotificationId;
    message: string;
    success: boolean;
};

/**
 * The `notificationServiceConfig`; absent members were never set.
 */
export type NotificationService = {
    /**
     * Batching of notifications.
     */
    batchConfig?: BatchConfig;
    /**
     * Delay before a notification.
     */
    delayConfig?: DelayConfig;
    /**
     * Events that notify, in groups `comment` and `huddle`.
     */
    triggers?: Triggers;
};

/**
 * The `notificationServiceConfig`; absent members were never set.
 */
export type NotificationServiceInput = {
    /**
     * Batching of notifications.
     */
    batchConfig?: BatchConfigInput | null;
    /**
     * Delay before a notification.
     */
    delayConfig?: DelayConfigInput | null;
    /**
     * Events that notify, in groups `comment` and `huddle`.
     */
    triggers?: Triggers | null;
};

/**
 * Source of a notification.
 *
 * - `custom`: The caller's product.
 * - `comment`: A thread of comments.
 * - `huddle`: A huddle.
 * - `crdt`: The data of an editor.
 * - `recorder`: A recording.
 */
export type NotificationSource = 'custom' | 'comment' | 'huddle' | 'crdt' | 'recorder';

/**
 * A batch window with its maximum number of activities.
 */
export type NotificationWindow = {
    batchWindowSeconds: number | null;
    isEnabled: boolean | null;
    maxActivities: number | null;
};

/**
 * A batch window with its maximum number of activities.
 */
export type NotificationWindowInput = {
    batchWindowSeconds?: number | null;
    isEnabled?: boolean | null;
    maxActivities?: number | null;
};

export type NotificationsAddRequest = {
    actionUser: Person;
    context?: AccessContext | null;
    /**
     * Whether to create a missing document.
     */
    createDocument?: boolean | null;
    /**
     * Whether to create a missing organization.
     */
    createOrganization?: boolean | null;
    /**
     * Secondary message; required unless a resolver is used.
     */
    displayBodyMessage?: string | null;
    displayBodyMessageTemplate?: string | null;
    displayBodyMessageTemplateData?: JsonObject | null;
    /**
     * Headline with variables in curly brackets; required unless a resolver is used.
     */
    displayHeadlineMessageTemplate?: string | null;
    displayHeadlineMessageTemplateData?: JsonObject | null;
    documentId: DocumentId;
    /**
     * Whether the caller's client renders the messages.
     */
    isNotificationResolverUsed?: boolean | null;
    location?: JsonObject | null;
    /**
     * The `id` of the location unless sent.
     */
    locationId?: string | null;
    metadata?: JsonObject | null;
    /**
     * Generated when absent.
     */
    notificationId?: NotificationId | null;
    notificationSource?: NotificationSource | null;
    notificationSourceData?: JsonObject | null;
    /**
     * Whether all users with access to the document are recipients; true unless sent.
     */
    notifyAll?: boolean | null;
    /**
     * Recipients by name.
     */
    notifyUsers: Array<Person>;
    organizationId: OrganizationId;
    targetAnnotationId?: AnnotationId | null;
    /**
     * Whether to omit users without access to the document.
     */
    verifyUserPermissions?: boolean | null;
};

export type NotificationsAddResult = Success & {
    data: NotificationAdded;
};

export type NotificationsConfigGetRequest = {
    /**
     * Required unless `getOrganizationConfig` is true.
     */
    documentIds?: Array<DocumentId> | null;
    /**
     * Whether to append the preference for documents without their own.
     */
    getOrganizationConfig?: boolean | null;
    organizationId: OrganizationId;
    userId: UserId;
};

export type NotificationsConfigGetResult = Success & {
    data: Array<NotificationPreference>;
};

export type NotificationsConfigGetV1Request = {
    /**
     * Required unless `getOrganizationConfig` is true.
     */
    documentIds: Array<DocumentId>;
    /**
     * Whether to append the preference for documents without their own.
     */
    getOrganizationConfig?: boolean | null;
    organizationId: OrganizationId;
    userId: UserId;
};

export type NotificationsConfigSetRequest = {
    config: NotificationChannels;
    documentIds?: Array<DocumentId> | null;
    organizationId: OrganizationId;
    userIds: Array<UserId>;
};

export type NotificationsConfigSetResult = Success & {
    data: {
        [key: string]: NotificationPreferenceResult;
    };
};

export type NotificationsConfigSetV1Request = {
    config: NotificationChannels;
    documentIds: Array<DocumentId>;
    organizationId: OrganizationId;
    userIds: Array<UserId>;
};

export type NotificationsCountRequest = {
    organizationId: OrganizationId;
    userId: UserId;
};

export type NotificationsCountResult = Success & {
    data: NotificationCount;
};

export type NotificationsDeleteRequest = {
    /**
     * Only notifications about this document.
     */
    documentId?: DocumentId | null;
    /**
     * Only notifications about this location.
     */
    locationId?: string | null;
    /**
     * Only these notifications.
     */
    notificationIds?: Array<NotificationId> | null;
    organizationId: OrganizationId;
    /**
     * Only notifications to this user.
     */
    userId?: UserId | null;
};

export type NotificationsDeleteResult = Success & {
    data: {
        [key: string]: NotificationResult;
    };
};

export type NotificationsGetRequest = {
    /**
     * Only notifications about this document.
     */
    documentId?: DocumentId | null;
    /**
     * Only notifications about this location.
     */
    locationId?: string | null;
    /**
     * Only these notifications.
     */
    notificationIds?: Array<NotificationId> | null;
    /**
     * By time; only on the v2 path.
     */
    order?: SortOrder | null;
    organizationId: OrganizationId;
    /**
     * Only on the v2 path.
     */
    pageSize?: number | null;
    /**
     * Only on the v2 path.
     */
    pageToken?: string | null;
    /**
     * Only notifications to this user and visible to them.
     */
    userId?: UserId | null;
};

export type NotificationsGetResult = Success & {
    data: Array<Notification>;
    /**
     * Null on the last page.
     */
    pageToken: string | null;
};

export type NotificationsSeenRequest = {
    /**
     * The thread; the inbox when absent, as for `documentId`.
     */
    annotationId?: AnnotationId | null;
    /**
     * The document of the thread.
     */
    documentId?: DocumentId | null;
    organizationId: OrganizationId;
    userId: UserId;
};

export type NotificationsTraceGetRequest = {
    /**
     * Only events in this document.
     */
    documentId?: DocumentId | null;
    /**
     * Only this event, or this custom notification.
     */
    eventId?: string | null;
    organizationId: OrganizationId;
    pageSize?: number | null;
    pageToken?: string | null;
    /**
     * Only events with this recipient.
     */
    userId?: UserId | null;
};

export type NotificationsTraceGetResult = Success & {
    data: Array<TraceRow>;
    /**
     * Null on the last page.
     */
    pageToken: string | null;
};

export type NotificationsUpdateRequest = {
    /**
     * Whether `userId` has read all notifications; without filters.
     */
    all?: boolean | null;
    /**
     * Only if it is about this document.
     */
    documentId?: DocumentId | null;
    /**
     * Only if it is about this location.
     */
    locationId?: string | null;
    /**
     * Required unless `all` is true.
     */
    notifications?: Array<NotificationPatch> | null;
    organizationId: OrganizationId;
    /**
     * Only if it is addressed to this user.
     */
    userId?: UserId | null;
    /**
     * With `userId`: only if that user has access to the document and the thread.
     */
    verifyUserPermissions?: boolean | null;
};

export type NotificationsUpdateResult = Success & {
    data: {
        [key: string]: NotificationResult;
    };
    /**
     * With `all`: whether there may be further unread notifications.
     */
    hasMore?: boolean;
};

export type OperatorApiKeyLimitsUpdateRequest = {
    apiKey: ApiKeyId;
    /**
     * Webhook deliveries per second on average, for events with more than ten possible endpoints; ten times as many in a burst. Further ones wait.
     */
    deliveriesPerSecond?: number | null;
    /**
     * Editors of one document; 1,000 when never set.
     */
    editorsPerDocument?: number | null;
    /**
     * Mails that the deployment sends per day of UTC.
     */
    mailsPerDay?: number | null;
    /**
     * Read calls per second on average; ten times as many in a burst.
     */
    readsPerSecond?: number | null;
    /**
     * Calls per second that may write, on average; ten times as many in a burst.
     */
    writesPerSecond?: number | null;
};

export type OperatorApiKeyLimitsUpdateResult = Success & {
    data: ApiKeyLimits;
};

export type OperatorAuthTokenRotateRequest = {
    /**
     * How long the old token stays valid, in seconds. Required, so that an empty call cannot revoke it.
     */
    gracePeriodSeconds: number;
};

export type OperatorAuthTokenRotateResult = Success & {
    data: WorkspaceTokenRotated;
};

export type OperatorDeletionsRepairRequest = {
    /**
     * Where to continue; at the beginning when absent.
     */
    start?: string | null;
};

export type OperatorDeletionsRepairResult = Success & {
    data: RepairProgress;
};

export type OperatorSecretsResealRequest = {
    /**
     * Where to continue; at the beginning when absent.
     */
    start?: string | null;
};

export type OperatorSecretsResealResult = Success & {
    data: ResealProgress;
};

export type OperatorWorkspaceCreateRequest = {
    /**
     * Picture of the owner.
     */
    avatar?: string | null;
    /**
     * The access type of documents of the first key, without one of their own or of their folders; that of the deployment when absent, initially `organizationPrivate`.
     */
    defaultDocumentAccessType?: AccessType | null;
    /**
     * Maximum number of production keys; 10 when absent.
     */
    maxProductionKeys?: number | null;
    /**
     * Maximum number of testing keys; 100 when absent.
     */
    maxTestingKeys?: number | null;
    /**
     * Name of the owner; the e-mail address when absent.
     */
    name?: string | null;
    ownerEmail: string;
    /**
     * `paid` when absent; required for production keys.
     */
    plan?: WorkspacePlan | null;
    /**
     * Whether the workspace may create production keys itself; true when absent.
     */
    selfServeProductionKeys?: boolean | null;
    /**
     * `<name> workspace` when absent.
     */
    workspaceName?: string | null;
};

export type OperatorWorkspaceCreateResult = Success & {
    data: WorkspaceCreated;
};

export type OperatorWorkspaceUpdateRequest = {
    id: WorkspaceId;
    /**
     * Maximum number of production keys.
     */
    maxProductionKeys?: number | null;
    /**
     * Maximum number of testing keys.
     */
    maxTestingKeys?: number | null;
    /**
     * Maximum number of webhook endpoints of each of its keys.
     */
    maxWebhookEndpoints?: number | null;
    /**
     * Name of the workspace.
     */
    name?: string | null;
    /**
     * Production keys need `paid`.
     */
    plan?: WorkspacePlan | null;
    /**
     * Whether the workspace may create production keys itself.
     */
    selfServeProductionKeys?: boolean | null;
};

export type OperatorWorkspaceUpdateResult = Success & {
    data: WorkspaceSettings;
};

export type Organization = {
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
    disabled: boolean;
    id: OrganizationId;
    /**
     * Epoch milliseconds.
     */
    lastUpdated: number;
    organizationId: OrganizationId;
    /**
     * Empty when unset.
     */
    organizationName: string;
    [key: string]: unknown;
};

export type OrganizationDisabledResult = {
    code?: ItemErrorCode;
    /**
     * As sent.
     */
    disabled: boolean;
    id: OrganizationId;
    message: string;
    success: boolean;
};

/**
 * An organization of a tenant.
 */
export type OrganizationId = string;

export type OrganizationPatch = {
    organizationId: OrganizationId;
    organizationName?: string | null;
    [key: string]: unknown;
};

export type OrganizationResult = {
    code?: ItemErrorCode;
    id: OrganizationId;
    message: string;
    success: boolean;
};

export type OrganizationResults = Success & {
    data: {
        [key: string]: OrganizationResult;
    };
};

export type OrganizationsAddRequest = {
    organizations: Array<NewOrganization>;
};

export type OrganizationsDeleteRequest = {
    organizationIds: Array<OrganizationId>;
};

export type OrganizationsDisableRequest = {
    /**
     * Whether the end users of the organizations are locked out.
     */
    disabled: boolean;
    organizationIds: Array<OrganizationId>;
};

export type OrganizationsDisableResult = Success & {
    data: {
        [key: string]: OrganizationDisabledResult;
    };
};

export type OrganizationsGetRequest = {
    /**
     * Only these organizations; all when absent or empty.
     */
    organizationIds?: Array<OrganizationId> | null;
    pageSize?: number | null;
    pageToken?: string | null;
};

export type OrganizationsGetResult = Success & {
    data: Array<Organization>;
    /**
     * Null on the last page.
     */
    nextPageToken: string | null;
};

export type OrganizationsUpdateRequest = {
    organizations: Array<OrganizationPatch>;
};

export type PermissionErrorCode = 'does_not_exist' | 'permission_denied';

export type PermissionUser = {
    userId: UserId;
};

export type PermissionsAddRequest = {
    /**
     * The user group that gets the rights.
     */
    organizationUserGroupId?: GroupId | null;
    permissions: NewPermissions;
    /**
     * The user who gets the rights; required unless a group is named.
     */
    user?: PermissionUser | null;
};

export type PermissionsGetRequest = {
    documentIds?: Array<DocumentId> | null;
    folderIds?: Array<FolderId> | null;
    organizationId: OrganizationId;
    /**
     * User groups, instead of users: what somebody may do who has nothing but the group.
     */
    organizationUserGroupIds?: Array<GroupId> | null;
    /**
     * Whether a missing folder or document fails only its own entry.
     */
    skipResourceExistenceValidation?: boolean | null;
    /**
     * Users; required unless groups are named.
     */
    userIds?: Array<UserId> | null;
};

export type PermissionsGetResult = Success & {
    data: {
        [key: string]: UserPermissions;
    };
};

export type PermissionsRemoveRequest = {
    /**
     * The user group that loses the rights.
     */
    organizationUserGroupId?: GroupId | null;
    permissions: StrictRemovedPermissions;
    /**
     * The user who loses the rights; required unless a group is named.
     */
    userId?: UserId | null;
};

/**
 * A user in the data of others: the author of a comment, an actor. Stored as sent, whether the user is known or not.
 */
export type Person = {
    /**
     * Color of cursor and avatar.
     */
    color?: string | null;
    /**
     * E-mail address, for notifications; an empty or invalid one gets none.
     */
    email?: string | null;
    /**
     * Letter of the avatar; the first of `name` unless sent.
     */
    initial?: string | null;
    /**
     * Whether the user is an administrator.
     */
    isAdmin?: boolean | null;
    /**
     * Whether the user is anonymous.
     */
    isAnonymous?: boolean | null;
    /**
     * Whether the user is a guest.
     */
    isGuest?: boolean | null;
    /**
     * Whether the user is read-only.
     */
    isReadOnly?: boolean | null;
    /**
     * Display name.
     */
    name?: string | null;
    /**
     * Address of a picture.
     */
    photoUrl?: string | null;
    /**
     * Plan in the caller's product.
     */
    plan?: string | null;
    /**
     * Color of text on `color`.
     */
    textColor?: string | null;
    /**
     * Kind of user, such as `signedIn`.
     */
    type?: string | null;
    /**
     * The caller's id.
     */
    userId: UserId;
};

export type PlanInfo = {
    type: WorkspacePlan;
};

export type PresenceAddRequest = {
    documentId: DocumentId;
    organizationId: OrganizationId;
    users: Array<NewPresenceUser>;
};

export type PresenceDeleteRequest = {
    documentId: DocumentId;
    organizationId: OrganizationId;
    userIds: Array<UserId>;
};

export type PresenceGetRequest = {
    documentId: DocumentId;
    organizationId: OrganizationId;
    pageSize?: number | null;
    pageToken?: string | null;
    /**
     * Only these users; no filter when absent or empty.
     */
    userIds?: Array<UserId> | null;
};

export type PresenceGetResult = Success & {
    data: Array<PresenceUser>;
    /**
     * Null on the last page.
     */
    pageToken: string | null;
};

export type PresenceUpdateRequest = {
    documentId: DocumentId;
    organizationId: OrganizationId;
    users: Array<NewPresenceUser>;
};

/**
 * The presence of a user in a document.
 */
export type PresenceUser = {
    /**
     * Absent when unset.
     */
    data?: JsonObject;
    /**
     * Absent when unset.
     */
    email?: string;
    /**
     * When the record was last added or updated, in epoch milliseconds.
     */
    lastUpdated: number;
    /**
     * Absent when unset.
     */
    name?: string;
    status: string;
    userId: UserId;
};

/**
 * A reaction in replies.
 */
export type Reaction = {
    annotationId: AnnotationId;
    commentAnnotationId: AnnotationId;
    commentId: number;
    context?: JsonObject;
    fromUsers: Array<Reactor>;
    icon: string;
    involvedUserIds: Array<UserId>;
    /**
     * Time of the latest choice, in epoch milliseconds.
     */
    lastUpdated: number;
    location?: Location;
    /**
     * A hash of `location`.
     */
    locationId?: number;
    metadata: Whereabouts;
    type: ReactionKind;
};

export type ReactionAdded = {
    reactionAnnotationId: AnnotationId;
    success: boolean;
};

export type ReactionDeleted = {
    reactionAnnotationId: AnnotationId | null;
    success: boolean;
};

export type ReactionKind = 'reaction';

/**
 * A user's reaction with its time.
 */
export type Reactor = {
    /**
     * The user.
     */
    from: Person;
    /**
     * Time.
     */
    lastUpdated: number;
};

export type ReasonSource = 'instructions' | 'knowledge';

/**
 * Duration of a recording.
 */
export type RecordedTime = {
    /**
     * Duration as `HH:MM:SS`.
     */
    display: string;
    /**
     * In milliseconds.
     */
    duration: RecordingDuration;
};

/**
 * A recording with the members of its latest version.
 */
export type Recording = {
    annotationId: AnnotationId;
    /**
     * Files of the version.
     */
    attachments?: Array<RecordingAttachment>;
    /**
     * Display name.
     */
    displayName?: string;
    /**
     * The author of the recording.
     */
    from?: Person;
    /**
     * Time of the latest version, in epoch milliseconds.
     */
    lastUpdated: number;
    latestVersion: number;
    metadata: Whereabouts;
    mode: RecordingMode;
    /**
     * Time of the first version, in epoch milliseconds.
     */
    recordedAt: number;
    /**
     * Duration.
     */
    recordedTime?: RecordedTime;
    /**
     * The latest 20 versions, by number.
     */
    recordingEditVersions: {
        [key: string]: RecordingVersion;
    };
    recordingType: RecordingType;
    type: 'recorder';
};

/**
 * A file of a recording in events.
 */
export type RecordingAsset = {
    fileFormat?: RecordingFileType;
    fileName?: string;
    fileSizeInBytes?: number;
    mimeType?: string;
    url: string;
    /**
     * The number of the version.
     */
    version: number;
};

/**
 * A file of a recording.
 */
export type RecordingAttachment = {
    /**
     * Unique in the recording.
     */
    attachmentId: number;
    /**
     * Media type.
     */
    mimeType?: string;
    /**
     * Name of the file.
     */
    name?: string;
    /**
     * In bytes.
     */
    size?: number;
    /**
     * Format of the file.
     */
    type?: RecordingFileType;
    /**
     * URL of the file.
     */
    url: string;
};

/**
 * Milliseconds, including fractions; stored as sent.
 */
export type RecordingDuration = number;

/**
 * A recording was added.
 */
export type RecordingEvent = {
    /**
     * The type without its target.
     */
    actionType?: EventAction;
    /**
     * The actor; null when unknown.
     */
    actionUser?: Person | null;
    annotationId: AnnotationId;
    apiKey: ApiKeyId;
    /**
     * Files of the latest version.
     */
    assets?: Array<RecordingAsset>;
    /**
     * Files of all versions.
     */
    assetsAllVersions?: Array<RecordingAsset>;
    documentId: DocumentId;
    /**
     * The author of the recording.
     */
    from?: Person;
    /**
     * Names and metadata of the document and the organization, at the time of the event.
     */
    metadata?: JsonObject;
    organizationId: OrganizationId;
    platform?: 'sdk';
    /**
     * Id of the recording, as in `annotationId`.
     */
    recorderId?: AnnotationId;
    /**
     * The feature.
     */
    source?: EventSource;
    /**
     * True when members were omitted because of the size.
     */
    truncated?: boolean;
};

/**
 * The common members of every body. A body of more than 256 KiB has only ids in `data`, and `truncated`.
 */
export type RecordingEventWebhook = {
    /**
     * Absent after the erasure of a user it named.
     */
    data?: RecordingEvent;
    /**
     * True after the erasure of a user that `data` named.
     */
    expunged?: boolean;
    /**
     * The id of the message: the same in every attempt.
     */
    id: MessageId;
    /**
     * The number of the event in its document, from 1 without gaps.
     */
    seq?: number;
    /**
     * Time of the event.
     */
    timestamp: string;
    type: RecordingEventWebhookType;
};

export type RecordingEventWebhookType = 'recorder.done';

/**
 * The format of a file.
 */
export type RecordingFileType = 'mp3' | 'mp4' | 'webm';

/**
 * Display mode.
 *
 * - `floating`: In a player that floats above the document.
 * - `thread`: In a thread of comments.
 */
export type RecordingMode = 'floating' | 'thread';

/**
 * Result of one item of a batch, with a message for people.
 */
export type RecordingResult = {
    annotationId: AnnotationId;
    message: string;
    success: boolean;
};

/**
 * Type of the recording.
 *
 * - `audio`: Sound.
 * - `video`: A camera.
 * - `screen`: A screen.
 */
export type RecordingType = 'audio' | 'video' | 'screen';

/**
 * A version of a recording.
 */
export type RecordingVersion = {
    /**
     * Files of the version.
     */
    attachments: Array<RecordingAttachment>;
    /**
     * Display name.
     */
    displayName: string;
    /**
     * Duration.
     */
    recordedTime: RecordedTime;
};

export type RecordingsAddRequest = {
    documentId: DocumentId;
    organizationId: OrganizationId;
    recordings: Array<NewRecording>;
};

export type RecordingsAddResult = Success & {
    data: {
        [key: string]: RecordingResult;
    };
};

export type RecordingsDeleteRequest = {
    organizationId: OrganizationId;
    recordingIds: Array<AnnotationId>;
};

export type RecordingsGetRequest = {
    /**
     * Only recordings of this document.
     */
    documentId?: DocumentId | null;
    organizationId: OrganizationId;
    /**
     * 100 when absent.
     */
    pageSize?: number | null;
    pageToken?: string | null;
    /**
     * Only these recordings; no filter when absent or empty.
     */
    recordingIds?: Array<AnnotationId> | null;
};

export type RecordingsGetResult = Success & {
    data: Array<Recording>;
    /**
     * Null on the last page.
     */
    pageToken: string | null;
};

export type RecoveryStarted = {
    endpointId: EndpointId;
    since: string;
};

/**
 * A relative position, as Yjs writes it as JSON: it has `item`, `tname` or `type`. Of several the first one counts.
 */
export type RelativePosition = {
    /**
     * A negative number: behind `item`, or the beginning of `tname` or `type`; 0 when absent.
     */
    assoc?: number | null;
    /**
     * The character or the node at the position.
     */
    item?: ItemId | null;
    /**
     * The name of the root of which this is the end, or the beginning.
     */
    tname?: string | null;
    /**
     * The node of which this is the end, or the beginning.
     */
    type?: ItemId | null;
};

export type RepairProgress = {
    /**
     * Items that were looked at.
     */
    items: number;
    /**
     * Members of user groups that were added to their memberships, from which rights follow.
     */
    listed: number;
    /**
     * Null at the end.
     */
    next: string | null;
    /**
     * Deletions that are repeated.
     */
    repeated: number;
    /**
     * Deletions whose resource no item names; what they left stays.
     */
    unnamed: number;
};

export type ResealProgress = {
    /**
     * Null at the end.
     */
    next: string | null;
    /**
     * Resealed secrets.
     */
    resealed: number;
    /**
     * Secrets that no key of the deployment opens; they read as unset.
     */
    unopened: number;
};

export type ResendStarted = {
    endpointId: EndpointId;
    messageId: MessageId;
};

/**
 * An organization, folder or document; another member states which.
 */
export type ResourceId = string;

/**
 * An organization or a resource in it, with the role of a user.
 */
export type ResourcePermission = {
    /**
     * The granted role; `editor` when absent.
     */
    accessRole?: AccessRole | null;
    /**
     * Expiry in epoch seconds; never when absent.
     */
    expiresAt?: number | null;
    /**
     * Id of the resource.
     */
    id: ResourceId;
    /**
     * Organization of the resource; required for folders and documents.
     */
    organizationId?: OrganizationId | null;
    /**
     * Kind of the resource.
     */
    type: ResourceType;
};

export type ResourceType = 'organization' | 'folder' | 'document';

export type ScheduleTestClockAdvanceRequest = {
    /**
     * Seconds to advance, at most a year.
     */
    seconds: number;
};

export type ScheduleTestClockAdvanceResult = Success & {
    data: TestClock;
};

/**
 * A secret of a tenant. Never shown by `Debug`, encrypted at rest by the store.
 */
export type Secret = string;

/**
 * A form in which content is sent.
 *
 * - `xml`: Elements and marks; a plain string for `text`.
 * - `json`: ProseMirror JSON for `xml`; a delta for `text`.
 * - `html`: HTML, for `xml`.
 * - `markdown`: Markdown, for `xml`.
 */
export type SentEditorFormat = 'xml' | 'json' | 'html' | 'markdown';

export type SortOrder = 'asc' | 'desc';

/**
 * Kind of author.
 *
 * - `rest-api`: A server of the caller's.
 * - `agent`: An agent.
 */
export type SourceType = 'rest-api' | 'agent';

export type StrictPerson = {
    /**
     * Color of cursor and avatar.
     */
    color?: string | null;
    /**
     * E-mail address, for notifications; an empty or invalid one gets none.
     */
    email?: string | null;
    /**
     * Letter of the avatar; the first of `name` unless sent.
     */
    initial?: string | null;
    /**
     * Whether the user is an administrator.
     */
    isAdmin?: boolean | null;
    /**
     * Whether the user is anonymous.
     */
    isAnonymous?: boolean | null;
    /**
     * Whether the user is a guest.
     */
    isGuest?: boolean | null;
    /**
     * Whether the user is read-only.
     */
    isReadOnly?: boolean | null;
    /**
     * Display name.
     */
    name?: string | null;
    /**
     * Address of a picture.
     */
    photoUrl?: string | null;
    /**
     * Plan in the caller's product.
     */
    plan?: string | null;
    /**
     * Color of text on `color`.
     */
    textColor?: string | null;
    /**
     * Kind of user, such as `signedIn`.
     */
    type?: string | null;
    /**
     * The caller's id.
     */
    userId: UserId;
};

export type StrictRemovedPermissions = {
    /**
     * Role and expiry are ignored.
     */
    resources: Array<StrictResourcePermission>;
};

export type StrictResourcePermission = {
    /**
     * The granted role; `editor` when absent.
     */
    accessRole?: AccessRole | null;
    /**
     * Expiry in epoch seconds; never when absent.
     */
    expiresAt?: number | null;
    /**
     * Id of the resource.
     */
    id: ResourceId;
    /**
     * Organization of the resource; required for folders and documents.
     */
    organizationId?: OrganizationId | null;
    /**
     * Kind of the resource.
     */
    type: ResourceType;
};

/**
 * Origin of a subscription.
 *
 * - `auto`: As the author, or by a mention.
 * - `manual`: Explicitly.
 */
export type SubscriptionType = 'auto' | 'manual';

/**
 * Members of every result.
 */
export type Success = {
    /**
     * Text for people.
     */
    message: string;
    status: 'success';
};

/**
 * The suggestion of a thread.
 */
export type Suggestion = {
    /**
     * Outcome of the suggestion.
     */
    status: SuggestionStatus;
    [key: string]: unknown;
};

/**
 * The outcome of a suggestion.
 *
 * - `pending`: Undecided.
 * - `accepted`: Accepted.
 * - `rejected`: Rejected.
 */
export type SuggestionStatus = 'pending' | 'accepted' | 'rejected';

export type TestClock = {
    /**
     * The new time of the key, in epoch milliseconds.
     */
    now: number;
};

export type TokenPermissions = {
    /**
     * The resources that the token grants.
     */
    resources: Array<ResourcePermission>;
};

export type TokenUserProperties = {
    email: string;
    isAdmin?: boolean | null;
    name: string;
    organizationId?: OrganizationId | null;
};

export type TokenUserPropertiesV1 = {
    email?: string | null;
    isAdmin?: boolean | null;
    name?: string | null;
    organizationId: OrganizationId;
};

/**
 * The delivery state of an event for one user on one channel.
 */
export type TraceRow = {
    /**
     * The channel.
     */
    channel: NotificationChannel;
    /**
     * The latest due time, in epoch milliseconds.
     */
    dueAt?: number;
    /**
     * The event; the id of the notification for a custom one.
     */
    eventId: string;
    /**
     * The notification that contains it.
     */
    notificationId?: NotificationId;
    /**
     * The reason for a drop.
     */
    reason?: DropReason;
    /**
     * Delivery state.
     */
    state: TraceState;
    /**
     * The user; absent for a decision about all users.
     */
    userId?: UserId;
};

/**
 * Delivery state of a notification.
 *
 * - `pending`: Pending.
 * - `delivered`: Delivered.
 * - `dropped`: Dropped.
 */
export type TraceState = 'pending' | 'delivered' | 'dropped';

/**
 * A switch, or a group of them.
 */
export type TriggerSwitch = boolean | TriggerSwitchMap;

export type TriggerSwitchMap = {
    [key: string]: boolean;
};

/**
 * Switches by event, in any accepted spelling: in groups (`comment.added` as `{"comment": {"added": true}}`) or flat (`comment.add`, `comment.added` or `added`). Unknown keys are stored.
 */
export type Triggers = {
    [key: string]: TriggerSwitch;
};

/**
 * A user who unsubscribed.
 */
export type Unsubscribed = {
    user: Person;
};

/**
 * A user of an organization, a document or a folder.
 */
export type User = {
    /**
     * Absent for end users.
     */
    accessRole?: AccessRole;
    /**
     * Color of cursor and avatar.
     */
    color?: string;
    documentId?: DocumentId;
    /**
     * E-mail address, for notifications; an empty or invalid one gets none.
     */
    email?: string;
    folderId?: FolderId;
    /**
     * Letter of the avatar; the first of `name` unless sent.
     */
    initial?: string;
    /**
     * Whether the user is an administrator.
     */
    isAdmin?: boolean;
    /**
     * Whether the user is anonymous.
     */
    isAnonymous?: boolean;
    /**
     * Whether the user is a guest.
     */
    isGuest?: boolean;
    /**
     * Whether the user is read-only.
     */
    isReadOnly?: boolean;
    /**
     * Display name.
     */
    name?: string;
    organizationId: OrganizationId;
    /**
     * Address of a picture.
     */
    photoUrl?: string;
    /**
     * Plan in the caller's product.
     */
    plan?: string;
    /**
     * Color of text on `color`.
     */
    textColor?: string;
    /**
     * Kind of user, such as `signedIn`.
     */
    type?: string;
    userId: UserId;
};

/**
 * Up to 100 items each.
 */
export type UserData = {
    /**
     * Threads that name the user, with all comments that do; a long one may be in several pages.
     */
    comments: Array<CommentAnnotation>;
    /**
     * Notifications that name the user.
     */
    notifications: Array<Notification>;
    /**
     * Reactions of the user.
     */
    reactions: Array<Reaction>;
    /**
     * Recordings of the user.
     */
    recordings: Array<Recording>;
};

export type UserDataDeleteRequest = {
    /**
     * Only in these organizations; in all when absent.
     */
    organizationIds?: Array<OrganizationId> | null;
    userIds: Array<UserId>;
};

export type UserDataDeleteResult = Success & {
    data: ErasureJob;
    /**
     * Always 202: accepted, not done.
     */
    statusCode: number;
};

export type UserDataDeleteStatusRequest = {
    jobId: JobId;
};

export type UserDataDeleteStatusResult = Success & {
    data: ErasureStatus;
};

export type UserDataGetRequest = {
    organizationId: OrganizationId;
    pageToken?: string | null;
    userId: UserId;
};

export type UserDataGetResult = Success & {
    data: UserData;
    /**
     * Null when there are no more items in any of the lists.
     */
    nextPageToken: string | null;
};

export type UserGroup = {
    /**
     * The id, as in the request that added the group.
     */
    groupId: GroupId;
    groupName?: string;
    /**
     * The same id, under the name that other operations use.
     */
    organizationUserGroupId: GroupId;
    /**
     * The members; absent for end users.
     */
    userIds?: Array<UserId>;
};

/**
 * Result of one item of a batch, with a message for people.
 */
export type UserGroupMemberResult = {
    message: string;
    organizationUserGroupId: GroupId;
    success: boolean;
};

export type UserGroupMemberResults = Success & {
    data: {
        [key: string]: UserGroupMemberResult;
    };
};

/**
 * Result of one item of a batch, with a message for people.
 */
export type UserGroupResult = {
    id: GroupId;
    message: string;
    success: boolean;
};

export type UserGroupsAddRequest = {
    /**
     * Whether to create a missing organization.
     */
    createOrganization?: boolean | null;
    organizationId: OrganizationId;
    organizationUserGroups: Array<NewUserGroup>;
};

export type UserGroupsAddResult = Success & {
    data: {
        [key: string]: UserGroupResult;
    };
};

export type UserGroupsDeleteRequest = {
    organizationId: OrganizationId;
    organizationUserGroupIds: Array<GroupId>;
};

export type UserGroupsGetRequest = {
    organizationId: OrganizationId;
    /**
     * Only these groups; all when empty.
     */
    organizationUserGroupIds?: Array<GroupId> | null;
    pageSize?: number | null;
    pageToken?: string | null;
};

export type UserGroupsGetResult = Success & {
    data: Array<UserGroup>;
    /**
     * Null on the last page.
     */
    nextPageToken: string | null;
};

export type UserGroupsUsersAddRequest = {
    organizationId: OrganizationId;
    organizationUserGroupId: GroupId;
    userIds: Array<UserId>;
};

export type UserGroupsUsersDeleteRequest = {
    /**
     * Removes all users of the group and ignores `userIds`. For a very large group, the call removes as many as the reply has room for; repeat it for the rest.
     */
    deleteAll?: boolean | null;
    organizationId: OrganizationId;
    organizationUserGroupId: GroupId;
    /**
     * The users to remove; required unless `deleteAll` is true.
     */
    userIds?: Array<UserId> | null;
};

/**
 * A user: one person in all organizations of a key.
 */
export type UserId = string;

/**
 * The rights of one user or group.
 */
export type UserPermissions = {
    documents: {
        [key: string]: EffectivePermission;
    };
    folders: {
        [key: string]: EffectivePermission;
    };
    organization: {
        [key: string]: EffectivePermission;
    };
};

/**
 * A replacement of one user by another.
 */
export type UserReplacement = {
    /**
     * The replacement.
     */
    newUser: Person;
    /**
     * The user to replace.
     */
    oldUser: Person;
};

/**
 * Result of one item of a batch, with a message for people.
 */
export type UserResult = {
    id: UserId;
    message: string;
    success: boolean;
};

export type UserResults = Success & {
    data: {
        [key: string]: UserResult;
    };
};

/**
 * The token.
 */
export type UserToken = {
    /**
     * Lifetime of the token in seconds.
     */
    expiresIn: number;
    token: string;
};

export type UsersAddRequest = {
    /**
     * Whether to create a missing document.
     */
    createDocument?: boolean | null;
    /**
     * Whether to create a missing folder.
     */
    createFolder?: boolean | null;
    /**
     * Adds them to this document instead of the organization.
     */
    documentId?: DocumentId | null;
    /**
     * Adds them to this folder instead of the organization.
     */
    folderId?: FolderId | null;
    organizationId: OrganizationId;
    users: Array<NewUser>;
};

export type UsersCountRequest = {
    /**
     * Users of all documents; not together with `documentId`.
     */
    allDocuments?: boolean | null;
    /**
     * Users of this document.
     */
    documentId?: DocumentId | null;
    organizationId: OrganizationId;
    /**
     * Only this user.
     */
    userId?: UserId | null;
};

export type UsersDeleteRequest = {
    /**
     * Removes them only from this document.
     */
    documentId?: DocumentId | null;
    /**
     * Removes them only from this folder.
     */
    folderId?: FolderId | null;
    organizationId: OrganizationId;
    userIds: Array<UserId>;
};

export type UsersFound = Array<User> | UsersFoundMap;

export type UsersFoundMap = {
    [key: string]: Array<User>;
};

export type UsersGenerateTokenRequest = {
    /**
     * Replaces the header, in v1.
     */
    apiKey?: Secret | null;
    /**
     * Replaces the header, in v1.
     */
    authToken?: Secret | null;
    /**
     * The lifetime of the token in seconds, a minute to 48 hours; 48 hours when absent.
     */
    expiresIn?: number | null;
    permissions: TokenPermissions;
    userId: UserId;
    userProperties: TokenUserProperties;
};

export type UsersGenerateTokenResult = Success & {
    data: UserToken;
};

export type UsersGenerateTokenV1Request = {
    /**
     * Replaces the header, in v1.
     */
    apiKey?: Secret | null;
    /**
     * Replaces the header, in v1.
     */
    authToken?: Secret | null;
    /**
     * The lifetime of the token in seconds, a minute to 48 hours; 48 hours when absent.
     */
    expiresIn?: number | null;
    permissions?: TokenPermissions | null;
    userId: UserId;
    userProperties: TokenUserPropertiesV1;
};

export type UsersGetRequest = {
    /**
     * Users of all documents.
     */
    allDocuments?: boolean | null;
    /**
     * Users of this document.
     */
    documentId?: DocumentId | null;
    /**
     * Users of this folder.
     */
    folderId?: FolderId | null;
    /**
     * With `allDocuments`: users by document.
     */
    groupByDocumentId?: boolean | null;
    organizationId: OrganizationId;
    /**
     * Only users of the organization who are in one of these groups.
     */
    organizationUserGroupIds?: Array<GroupId> | null;
    pageSize?: number | null;
    pageToken?: string | null;
    /**
     * Only users whose name has a word that begins with this text.
     */
    prefix?: string | null;
    /**
     * Only these users.
     */
    userIds?: Array<UserId> | null;
};

export type UsersGetResult = Success & {
    data: UsersFound;
    /**
     * Null on the last page.
     */
    nextPageToken: string | null;
};

export type UsersUpdateRequest = {
    /**
     * Changes users of this document.
     */
    documentId?: DocumentId | null;
    /**
     * Changes users of this folder.
     */
    folderId?: FolderId | null;
    organizationId: OrganizationId;
    users: Array<NewUser>;
};

/**
 * A member before and after; `null` where it is unset.
 */
export type ValueChange = {
    /**
     * Before.
     */
    from: unknown;
    /**
     * After.
     */
    to: unknown;
};

/**
 * A member before and after; `null` where it is unset.
 */
export type ValueChangeInput = {
    /**
     * Before.
     */
    from?: unknown;
    /**
     * After.
     */
    to?: unknown;
};

/**
 * A version of an editor, within the editor.
 */
export type VersionId = string;

/**
 * The visibility of a comment annotation, as stored and shown.
 */
export type Visibility = {
    /**
     * The organization whose members see it.
     */
    organizationId?: OrganizationId;
    /**
     * Further organizations whose members see it.
     */
    organizationIds?: Array<OrganizationId>;
    /**
     * Visibility.
     */
    type: VisibilityType;
    /**
     * Users who see it, the author among them.
     */
    userIds?: Array<UserId>;
};

/**
 * Visibility.
 *
 * - `public`: All users with access to the document.
 * - `organizationPrivate`: Members of the named organizations.
 * - `restricted`: The named users.
 */
export type VisibilityType = 'public' | 'organizationPrivate' | 'restricted';

/**
 * Basic webhook configuration.
 */
export type WebhookConfig = {
    /**
     * Service switch.
     */
    useWebhookService: boolean;
    /**
     * URLs and triggers.
     */
    webhookServiceConfig: WebhookService;
};

export type WebhookConfigResult = Success & {
    data: WebhookConfig;
};

/**
 * An endpoint; unset members are null.
 */
export type WebhookEndpoint = {
    /**
     * Subscribed channels; all when null.
     */
    channels: Array<Channel> | null;
    createdAt: string;
    description: string | null;
    /**
     * Whether it receives no deliveries.
     */
    disabled: boolean;
    /**
     * When the service disabled it; null as above.
     */
    disabledAt: string | null;
    /**
     * Why the service disabled it; null while it is enabled, and when a call disabled it.
     */
    disabledReason: DisabledBy | null;
    /**
     * Subscribed event types; all when null.
     */
    filterTypes: Array<EventType> | null;
    id: EndpointId;
    /**
     * Deliveries per second; unlimited when null.
     */
    rateLimit: number | null;
    uid: EndpointUid | null;
    updatedAt: string;
    url: EndpointUrl;
};

export type WebhookEndpointDeleted = {
    /**
     * Always true.
     */
    deleted: boolean;
    endpointId: EndpointId;
};

/**
 * Custom members of an endpoint: texts by name, at most 4096 bytes of JSON.
 */
export type WebhookEndpointMetadata = {
    [key: string]: string;
};

export type WebhookEndpointResult = Success & {
    data: WebhookEndpoint;
};

export type WebhookEndpoints = {
    /**
     * Whether there are no older endpoints.
     */
    done: boolean;
    endpoints: Array<WebhookEndpoint>;
    /**
     * The next page, of older endpoints; null when done.
     */
    iterator: string | null;
    /**
     * The previous page, of newer endpoints, sent as `iterator`; null on the first page.
     */
    prevIterator: string | null;
};

export type WebhookEndpointsCreateRequest = {
    /**
     * Channels to subscribe to, each once; all when absent.
     */
    channels?: Array<Channel> | null;
    description?: string | null;
    /**
     * Whether it receives no deliveries; false when absent.
     */
    disabled?: boolean | null;
    /**
     * Event types to subscribe to, each once; all when absent.
     */
    filterTypes?: Array<EventType> | null;
    /**
     * Stored with the endpoint and not returned.
     */
    metadata?: WebhookEndpointMetadata | null;
    /**
     * Deliveries per second.
     */
    rateLimit?: number | null;
    /**
     * A name of your own for the endpoint, unique within the API key; it cannot be changed.
     */
    uid?: EndpointUid | null;
    /**
     * The URL that receives deliveries.
     */
    url: EndpointUrl;
};

export type WebhookEndpointsDeleteRequest = {
    endpointId: EndpointId;
};

export type WebhookEndpointsDeleteResult = Success & {
    data: WebhookEndpointDeleted;
};

export type WebhookEndpointsGetRequest = {
    /**
     * The `iterator` or the `prevIterator` of another page; the newest endpoints when absent.
     */
    iterator?: string | null;
    /**
     * Page size; 50 when absent.
     */
    limit?: number | null;
};

export type WebhookEndpointsGetResult = Success & {
    data: WebhookEndpoints;
};

export type WebhookEndpointsSecretGetRequest = {
    endpointId: EndpointId;
};

export type WebhookEndpointsSecretRotateRequest = {
    endpointId: EndpointId;
    /**
     * How long the old secret stays valid, in seconds; a day when absent.
     */
    gracePeriodSeconds?: number | null;
};

export type WebhookEndpointsUpdateRequest = {
    /**
     * Channels to subscribe to, each once; all when null.
     */
    channels?: Array<Channel> | null;
    /**
     * Null unsets it.
     */
    description?: string | null;
    /**
     * Whether it receives no deliveries.
     */
    disabled?: boolean | null;
    endpointId: EndpointId;
    /**
     * Event types to subscribe to, each once; all when null.
     */
    filterTypes?: Array<EventType> | null;
    /**
     * Stored with the endpoint and not returned.
     */
    metadata?: WebhookEndpointMetadata | null;
    /**
     * Deliveries per second; unlimited when null.
     */
    rateLimit?: number | null;
    /**
     * The URL that receives deliveries.
     */
    url?: EndpointUrl | null;
};

/**
 * A message.
 */
export type WebhookMessage = {
    /**
     * The channels of the event, as endpoints name them in `channels`.
     */
    channels: Array<Channel>;
    id: MessageId;
    /**
     * The body of the webhook. If it named an erased user, `expunged` is true and only ids, type and time are left.
     */
    payload: unknown;
    /**
     * Time of the event.
     */
    timestamp: string;
    /**
     * The type of the event.
     */
    type: string;
};

export type WebhookMessages = {
    /**
     * Whether there are no older messages.
     */
    done: boolean;
    /**
     * The next page, of older messages; null when done.
     */
    iterator: string | null;
    messages: Array<WebhookMessage>;
    /**
     * The previous page, of newer messages, sent as `iterator`; null on the first page.
     */
    prevIterator: string | null;
};

/**
 * The signing secret of an endpoint.
 */
export type WebhookSecret = {
    endpointId: EndpointId;
    /**
     * `whsec_` and base64.
     */
    secret: Secret;
};

export type WebhookSecretResult = Success & {
    data: WebhookSecret;
};

/**
 * The `webhookServiceConfig`; absent members were never set.
 */
export type WebhookService = {
    /**
     * Sent with each webhook request for verification; an empty text unsets it.
     */
    authToken?: Secret | null;
    /**
     * Stored as sent.
     */
    enableDataProtection?: boolean | null;
    /**
     * Whether bodies are sent as base64.
     */
    encodeData?: boolean | null;
    /**
     * Whether bodies are encrypted.
     */
    encryptData?: boolean | null;
    /**
     * Receives processed notifications; an empty text unsets it.
     */
    processedNotificationUrl?: string | null;
    /**
     * The encryption key: an RSA public key in base64, without PEM lines; an empty text unsets it.
     */
    publicKey?: string | null;
    /**
     * Receives unprocessed notifications; an empty text unsets it.
     */
    rawNotificationUrl?: string | null;
    /**
     * Events that are sent.
     */
    triggers?: Triggers | null;
};

/**
 * Where something is.
 */
export type Whereabouts = {
    /**
     * The tenant; none for end users.
     */
    apiKey?: ApiKeyId;
    /**
     * The document.
     */
    documentId: DocumentId;
    /**
     * The organization.
     */
    organizationId: OrganizationId;
};

/**
 * A workspace.
 */
export type Workspace = {
    /**
     * By id.
     */
    apiKeyList: {
        [key: string]: ApiKey;
    };
    id: WorkspaceId;
    name: string;
    owner: WorkspaceOwner;
};

export type WorkspaceApiKeyConfigGetResult = Success & {
    data: ApiKeyConfig;
};

export type WorkspaceApiKeyConfigUpdateRequest = {
    /**
     * Sealed at rest.
     */
    aiModelApiKey?: Array<AiProviderKey> | null;
    /**
     * The mark that the service writes into rich texts for anchors of threads; an empty text: none, as initially. The schema of every editor has to have it.
     */
    anchorMark?: MarkName | null;
    /**
     * The default for documents without an access type of their own or of their folders. With `public`, every end user of the API key reads and edits them, in every organization.
     */
    defaultDocumentAccessType?: AccessType | null;
    /**
     * Whether end users may begin private threads.
     */
    enablePrivateComments?: boolean | null;
    /**
     * Whether end users may assign and edit threads.
     */
    enableThreadEditing?: boolean | null;
    features?: ApiKeyFeaturesPatch | null;
    /**
     * The role of end users without a right in a `public` document or folder. Initially `editor`.
     */
    publicAccessRole?: AccessRole | null;
    /**
     * Whether an end user whose token names an organization, without `expiresAt`, becomes its member with the first access.
     */
    requireAutoOrgUser?: boolean | null;
    /**
     * Whether clients must present end-user tokens.
     */
    requireJwtToken?: boolean | null;
};

export type WorkspaceApiKeyConfigUpdateResult = Success & {
    data: ApiKeyConfigChanged;
};

export type WorkspaceApiKeyCreateRequest = {
    addLocalHostToAllowedDomains?: boolean | null;
    /**
     * Domains whose pages may use the key; all when empty.
     */
    allowedDomains?: Array<Domain> | null;
    /**
     * `<local part of the e-mail address> Test API Key` or similar when absent.
     */
    apiKeyName?: string | null;
    /**
     * Whether to create an auth token for it; false when absent.
     */
    createAuthToken?: boolean | null;
    /**
     * The access type of documents without one of their own or of their folders; that of the deployment when absent, initially `organizationPrivate`.
     */
    defaultDocumentAccessType?: AccessType | null;
    emailServiceConfig?: EmailService | null;
    enablePrivateComments?: boolean | null;
    ownerEmail: string;
    /**
     * The region of its data; only for production keys.
     */
    persistenceDBRegion?: string | null;
    /**
     * The region of its realtime data.
     */
    realtimeDBRegion?: string | null;
    requireAutoOrgUser?: boolean | null;
    /**
     * Whether to enable the default triggers together with mails.
     */
    setDefaultEmailTriggers?: boolean | null;
    /**
     * Whether to enable the default triggers together with notifications.
     */
    setDefaultNotificationTriggers?: boolean | null;
    type: ApiKeyType;
    useEmailService?: boolean | null;
    useNotificationService?: boolean | null;
    useWebhookService?: boolean | null;
    webhookServiceConfig?: WebhookService | null;
};

export type WorkspaceApiKeyCreateResult = Success & {
    data: ApiKeyCreated;
};

export type WorkspaceApiKeyDeleteRequest = {
    apiKey: ApiKeyId;
};

export type WorkspaceApiKeyUpdateRequest = {
    apiKey: ApiKeyId;
    apiKeyName?: string | null;
    /**
     * Whether calls with it are refused.
     */
    disabled?: boolean | null;
};

export type WorkspaceApiKeysGetRequest = {
    /**
     * Only these keys; all when absent or empty.
     */
    apiKeys?: Array<ApiKeyId> | null;
    /**
     * 100 when absent.
     */
    pageSize?: number | null;
    pageToken?: string | null;
};

export type WorkspaceApiKeysGetResult = Success & {
    data: Array<ApiKey>;
    /**
     * Null on the last page.
     */
    nextPageToken: string | null;
};

export type WorkspaceAuthTokenResetRequest = {
    apiKey: ApiKeyId;
    /**
     * How long old tokens stay valid, in seconds; 0 when absent, 604800 at most.
     */
    gracePeriodSeconds?: number | null;
};

export type WorkspaceAuthTokenResetResult = Success & {
    data: AuthTokenReset;
};

export type WorkspaceAuthTokensGetRequest = {
    apiKey: ApiKeyId;
};

export type WorkspaceAuthTokensGetResult = Success & {
    data: AuthTokens;
};

/**
 * A new workspace.
 */
export type WorkspaceCreated = {
    /**
     * By id.
     */
    apiKeyList: {
        [key: string]: ApiKey;
    };
    /**
     * Shown only once: the service stores its hash.
     */
    authToken: string;
    id: WorkspaceId;
    name: string;
    owner: WorkspaceOwner;
};

export type WorkspaceDomainsAddRequest = {
    /**
     * Hosts, URLs, or `*.` and a suffix; scheme, `www.`, port and path are ignored.
     */
    domains: Array<Domain>;
};

export type WorkspaceDomainsAddResult = Success & {
    data: DomainsAdded;
};

export type WorkspaceDomainsDeleteRequest = {
    /**
     * Hosts, URLs, or `*.` and a suffix; scheme, `www.`, port and path are ignored.
     */
    domains: Array<Domain>;
};

export type WorkspaceDomainsDeleteResult = Success & {
    data: DomainsRemoved;
};

export type WorkspaceDomainsGetResult = Success & {
    data: AllowedDomains;
};

export type WorkspaceGetResult = Success & {
    data: Workspace;
};

/**
 * A workspace: the account that owns keys.
 */
export type WorkspaceId = string;

/**
 * The owner of a workspace in replies.
 */
export type WorkspaceOwner = {
    /**
     * Picture; empty when unset.
     */
    avatar: string;
    /**
     * E-mail address.
     */
    email: string;
    /**
     * Generated id.
     */
    id: string;
    /**
     * Display name.
     */
    name: string;
};

/**
 * The plan of a workspace; production keys need `paid`.
 *
 * - `free`: Testing keys only.
 * - `paid`: Production keys, too.
 */
export type WorkspacePlan = 'free' | 'paid';

export type WorkspaceSettings = {
    id: WorkspaceId;
    maxProductionKeys: number;
    maxTestingKeys: number;
    maxWebhookEndpoints: number;
    name: string;
    plan: WorkspacePlan;
    /**
     * Number of production keys.
     */
    productionKeys: number;
    selfServeProductionKeys: boolean;
    /**
     * Number of testing keys.
     */
    testingKeys: number;
};

export type WorkspaceTokenRotated = {
    /**
     * Shown only once.
     */
    authToken: string;
    id: WorkspaceId;
};

/** The body of a webhook. */
export type WebhookEvent = CommentEventWebhook | EditorEventWebhook | EndpointEventWebhook | MessageEventWebhook | RecordingEventWebhook;
