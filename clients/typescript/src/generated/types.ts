// Written by clients/generate from openapi.json.


/**
 * What a caller's product knows of who may see it: kept and shown, not decided on, for users have no access context of their own.
 */
export type AccessContext = {
    /**
     * Values by field.
     */
    access?: JsonObject;
};

/**
 * What a user may do with a resource (spec 2.10).
 *
 * - `viewer`: Read only.
 * - `editor`: Read and write.
 */
export type AccessRole = 'viewer' | 'editor';

/**
 * Who may reach a resource.
 *
 * - `public`: Every user of the tenant.
 * - `organizationPrivate`: Members of the organization.
 * - `restricted`: Users with an explicit grant.
 */
export type AccessType = 'public' | 'organizationPrivate' | 'restricted';

export type ActivitiesAddRequest = {
    /**
     * Of the same activity twice the later one is written.
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
     * How each of them went.
     */
    activities: {
        [key: string]: ItemOutcome;
    };
    message: string;
    /**
     * Whether all of them were written.
     */
    success: boolean;
};

export type ActivitiesDeleteRequest = {
    /**
     * These only.
     */
    activityIds?: Array<ActivityId> | null;
    /**
     * Those of this document only. One added a moment ago may be missed.
     */
    documentId?: DocumentId | null;
    organizationId: OrganizationId;
    /**
     * Those about this only. One added a moment ago may be missed.
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
     * What was done like this only; no filter when absent or empty.
     */
    actionTypes?: Array<string> | null;
    /**
     * These only; no filter when absent or empty.
     */
    activityIds?: Array<ActivityId> | null;
    /**
     * Those of this document only.
     */
    documentId?: DocumentId | null;
    /**
     * What is part of these only; no filter when absent or empty.
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
     * Those about this only.
     */
    targetEntityId?: EntityId | null;
    /**
     * What this user did only.
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

export type ActivitiesUpdateResult = Success & {
    data: {
        [key: string]: ItemOutcome;
    };
};

/**
 * Siblings 15.6.
 */
export type Activity = {
    /**
     * URL or name of an icon.
     */
    actionIcon?: string;
    actionType: string;
    actionUser: Person;
    /**
     * What changed, by member.
     */
    changes?: {
        [key: string]: ValueChange;
    };
    /**
     * The sentence people read, with `{{variable}}` where values go.
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
     * Whether it can be neither changed nor deleted.
     */
    immutable: boolean;
    isActivityResolverUsed?: boolean;
    metadata: ActivityPlace;
    targetEntityId?: EntityId;
    targetSubEntityId?: EntityId;
    /**
     * Epoch milliseconds.
     */
    timestamp: number;
};

/**
 * Activity configuration (spec 2.8).
 */
export type ActivityConfig = {
    /**
     * Which events are logged.
     */
    activityServiceConfig: ActivityService;
};

/**
 * What an activity is part of.
 *
 * - `custom`: Something of the caller's own.
 */
export type ActivityFeature = 'comment' | 'reaction' | 'recorder' | 'crdt' | 'custom';

/**
 * An activity of the log.
 */
export type ActivityId = string;

/**
 * A change of an activity as callers send it.
 */
export type ActivityPatch = {
    /**
     * URL or name of an icon.
     */
    actionIcon?: string | null;
    /**
     * What changed, by member.
     */
    changes?: ActivityPatchChanges | null;
    /**
     * The sentence people read, with `{{variable}}` where values go.
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
     * Which activity.
     */
    id: ActivityId;
};

export type ActivityPatchChanges = {
    [key: string]: ValueChangeInput;
};

export type ActivityPlace = {
    apiKey: ApiKeyId;
    documentId: DocumentId;
    organizationId: OrganizationId;
};

/**
 * The `activityServiceConfig` of spec 2.8; what is absent was never set.
 */
export type ActivityService = {
    /**
     * Since when, in epoch milliseconds.
     */
    enabledTime?: number | null;
    /**
     * Whether records written from now on can never be changed.
     */
    immutable?: boolean | null;
    /**
     * Service switch.
     */
    isEnabled?: boolean | null;
    /**
     * Which events are logged, in group `comment`.
     */
    triggers?: Triggers | null;
};

/**
 * Advanced webhook configuration (siblings 4.2). There is none until the first enabling.
 */
export type AdvancedWebhookConfig = {
    /**
     * Kept as it was sent.
     */
    enableDataProtection: boolean;
    /**
     * Whether bodies are sent in base64.
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
     * What they are encrypted with: an RSA key in base64, without PEM lines; empty when unset.
     */
    publicKey: string;
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
     * Whether it is enabled unless something else was said.
     */
    essentialDefault?: boolean;
    /**
     * The same as `agentId`.
     */
    id: string;
    /**
     * Epoch milliseconds.
     */
    lastUpdated?: number;
    managedBy: AgentManager;
    /**
     * The caller's own members.
     */
    metadata?: JsonObject;
    name: string;
    /**
     * True.
     */
    system?: boolean;
    /**
     * The current one.
     */
    version?: number;
};

export type AgentAddress = string;

/**
 * The model that an agent works with.
 */
export type AgentAiConfig = {
    /**
     * 8 when absent.
     */
    maxToolTurns?: number;
    /**
     * Taken, but not kept.
     */
    model?: string | null;
    provider?: AgentProvider | null;
};

/**
 * What annotations are made of.
 */
export type AgentAnnotationStrategy = 'findings' | 'word-level' | 'page-level' | 'none';

/**
 * Which annotations are made of findings.
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
 * How a call is authorized. Tokens, passwords and header values are sealed at rest.
 */
export type AgentAuth = {
    type: AgentAuthType;
    [key: string]: unknown;
};

/**
 * How a call is authorized.
 */
export type AgentAuthType = 'none' | 'bearer' | 'basic' | 'header';

/**
 * Something that is asked of the user.
 */
export type AgentContextField = {
    id: string;
    required?: boolean | null;
    title: string;
    type: AgentFieldType;
    [key: string]: unknown;
};

/**
 * What an agent reads before it starts.
 */
export type AgentContextGathering = {
    /**
     * What the strategy `rest-api` calls.
     */
    endpoints?: Array<AgentEndpoint> | null;
    /**
     * Elements whose styles are read; the strategy `computed-styles` needs them.
     */
    selectors?: Array<string> | null;
    /**
     * Required of a new agent.
     */
    strategies?: Array<AgentStrategy> | null;
    [key: string]: unknown;
};

/**
 * Comparing several pages.
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
 * How an agent works.
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
     * What it learns of earlier work.
     */
    knowledge?: AgentKnowledge | null;
    /**
     * Servers whose tools it may use.
     */
    mcpServers?: Array<McpServer> | null;
    /**
     * Needed by the strategies `service` and `service+ai`.
     */
    serviceId?: AgentServiceId | null;
    [key: string]: unknown;
};

/**
 * Who does the work.
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
 * What an agent is given with each run.
 */
export type AgentInput = {
    /**
     * What has to be there.
     */
    inputRequirements?: AgentInputRequirements | null;
    /**
     * What is asked of the user.
     */
    userContextFields?: Array<AgentContextField> | null;
    /**
     * Names of variables.
     */
    variableKeys?: Array<string> | null;
    [key: string]: unknown;
};

/**
 * Inputs that have to be there.
 */
export type AgentInputRequirements = {
    /**
     * All of these.
     */
    requires?: Array<unknown> | null;
    /**
     * One of these.
     */
    requiresOneOf?: Array<unknown> | null;
    [key: string]: unknown;
};

/**
 * What an agent learns of earlier work.
 */
export type AgentKnowledge = {
    maxActivities?: number | null;
    maxChunks?: number | null;
    maxPatterns?: number | null;
    useMemory?: boolean | null;
};

/**
 * Who takes care of an agent.
 */
export type AgentManager = 'service' | 'customer';

export type AgentOrAgents = {
    agent?: Agent;
    agents?: Array<AgentSummary>;
};

/**
 * How further pages are found.
 */
export type AgentPageDiscovery = 'auto' | 'manual';

/**
 * What is done with findings; stages that are not mentioned are on.
 */
export type AgentPostProcess = {
    analytics?: AgentStage | null;
    annotations?: AgentAnnotations | null;
    customProcessors?: Array<unknown> | null;
    deletePreviousSuggestions?: AgentStage | null;
    guardrails?: AgentStage | null;
    /**
     * Taken, but not kept.
     */
    matchAndMerge?: unknown;
};

/**
 * Who runs the model.
 */
export type AgentProvider = 'gemini' | 'claude' | 'openai';

/**
 * Why an agent comments. Members that are not listed are kept.
 */
export type AgentReason = {
    confidence?: number | null;
    description: string;
    /**
     * What the agent calls what it found.
     */
    findingId?: string | null;
    findingType?: FindingType | null;
    severity: FindingSeverity;
    source?: ReasonSource | null;
    title: string;
    [key: string]: unknown;
};

/**
 * The agent that a call was about.
 */
export type AgentReference = {
    agentId: AgentId;
};

/**
 * Where an agent works.
 */
export type AgentScope = {
    /**
     * Comparing several pages.
     */
    crossPage?: AgentCrossPage | null;
    [key: string]: unknown;
};

/**
 * A service that does the work.
 */
export type AgentServiceId = 'broken-links' | 'crawler' | 'screenshot' | 'accessibility-checker' | 'og-image-checker';

/**
 * Whose an agent is.
 *
 * - `service`: One of the service: built in, or the workspace's own.
 * - `external`: One that the service does not know.
 */
export type AgentSource = 'service' | 'external';

/**
 * A stage: on, off, or its settings.
 */
export type AgentStage = unknown;

/**
 * What is read of a page before the work starts.
 */
export type AgentStrategy = 'web-page-text' | 'web-page-screenshot' | 'web-page-html' | 'web-page-css' | 'web-page-links' | 'web-page-accessibility' | 'computed-styles' | 'robots-txt' | 'sitemap-data' | 'lighthouse' | 'rest-api' | 'none';

/**
 * Who an agent is.
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
     * Whether it is enabled unless something else was said.
     */
    essentialDefault?: boolean;
    /**
     * How often it ran.
     */
    executionCount: number;
    /**
     * The same as `agentId`.
     */
    id: string;
    /**
     * Epoch milliseconds; null when it never ran.
     */
    lastExecutedAt: number | null;
    /**
     * Epoch milliseconds.
     */
    lastUpdated?: number;
    managedBy: AgentManager;
    /**
     * The caller's own members.
     */
    metadata?: JsonObject;
    name: string;
    /**
     * True.
     */
    system?: boolean;
    /**
     * The current one.
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
     * What is read of a page before the work starts.
     */
    contextGathering?: AgentContextGathering | null;
    /**
     * What it is for; not blank.
     */
    description: string;
    /**
     * Whether it is active.
     */
    enabled: boolean;
    /**
     * How it works.
     */
    execution?: AgentExecution | null;
    /**
     * What it is given with each run.
     */
    input?: AgentInput | null;
    /**
     * Required and not blank, unless a service does all the work.
     */
    instructions?: string | null;
    /**
     * The caller's own; at most 16 KiB.
     */
    metadata?: JsonObject | null;
    /**
     * Display name.
     */
    name: string;
    /**
     * How long a phase may take.
     */
    phaseTimeoutMs?: number | null;
    /**
     * What is done with findings.
     */
    postProcess?: AgentPostProcess | null;
    /**
     * What the caller wrote before it was made instructions.
     */
    rawInstructions?: string | null;
    /**
     * What an answer looks like.
     */
    response?: JsonObject | null;
    /**
     * Where it works.
     */
    scope?: AgentScope | null;
    /**
     * What comes before a run.
     */
    setup?: JsonObject | null;
    [key: string]: unknown;
};

export type AgentsCreateResult = Success & {
    data: AgentReference;
};

export type AgentsDeleteRequest = {
    agentId: AgentId;
};

export type AgentsDeleteResult = Success & {
    data: AgentReference;
};

export type AgentsGetRequest = {
    /**
     * This agent only.
     */
    agentId?: AgentId | null;
    /**
     * Which agents to list; all when absent. Of no effect with `agentId`.
     */
    filter?: AgentFilter | null;
    /**
     * Agents of a group. There are no groups yet.
     */
    groupId?: ResourceId | null;
};

export type AgentsGetResult = Success & {
    data: AgentOrAgents;
};

export type AgentsUpdateRequest = {
    agentId: AgentId;
    /**
     * At most 4000 characters; of no effect on a built-in agent.
     */
    description?: string | null;
    /**
     * Whether it is active.
     */
    enabled?: boolean | null;
    /**
     * 1 to 1000 characters, not blank; of no effect on a built-in agent.
     */
    name?: string | null;
};

export type AgentsUpdateResult = Success & {
    data: AgentReference;
};

export type AgentsVersionUpdateRequest = {
    agentId: AgentId;
    /**
     * What is read of a page before the work starts.
     */
    contextGathering?: AgentContextGathering | null;
    /**
     * How it works.
     */
    execution?: AgentExecution | null;
    /**
     * What it is given with each run.
     */
    input?: AgentInput | null;
    /**
     * Required and not blank, unless a service does all the work.
     */
    instructions?: string | null;
    /**
     * The caller's own; at most 16 KiB.
     */
    metadata?: JsonObject | null;
    /**
     * How long a phase may take.
     */
    phaseTimeoutMs?: number | null;
    /**
     * What is done with findings.
     */
    postProcess?: AgentPostProcess | null;
    /**
     * What the caller wrote before it was made instructions.
     */
    rawInstructions?: string | null;
    /**
     * What an answer looks like.
     */
    response?: JsonObject | null;
    /**
     * Where it works.
     */
    scope?: AgentScope | null;
    /**
     * What comes before a run.
     */
    setup?: JsonObject | null;
    [key: string]: unknown;
};

export type AgentsVersionUpdateResult = Success & {
    data: CurrentAgentVersion;
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

export type AgentsVersionsRestoreResult = Success & {
    data: CurrentAgentVersion;
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
 * The priority of a thread. Of `P0`, `P1` and `P2` the `id` is enough.
 */
export type AnnotationPriority = {
    /**
     * Color of its icon.
     */
    color: string;
    /**
     * What tells it from others.
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
 * The priority of a thread. Of `P0`, `P1` and `P2` the `id` is enough.
 */
export type AnnotationPriorityInput = {
    color?: string | null;
    id: string;
    lightColor?: string | null;
    name?: string | null;
};

/**
 * The status of a thread. Of `OPEN`, `IN_PROGRESS` and `RESOLVED` the `id` is enough; of others all but one of `svg` and `iconUrl` is required.
 */
export type AnnotationStatus = {
    /**
     * Color of its icon.
     */
    color: string;
    /**
     * Where the icon is.
     */
    iconUrl?: string;
    /**
     * What tells it from others.
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
     * What it means.
     */
    type: AnnotationStatusType;
};

/**
 * The status of a thread. Of `OPEN`, `IN_PROGRESS` and `RESOLVED` the `id` is enough; of others all but one of `svg` and `iconUrl` is required.
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
 * What a status means.
 *
 * - `default`: A thread starts with it.
 * - `ongoing`: It is being worked on.
 * - `terminal`: It is resolved.
 */
export type AnnotationStatusType = 'default' | 'ongoing' | 'terminal';

/**
 * A user who subscribed to a thread.
 */
export type AnnotationSubscription = {
    /**
     * How they came to it.
     */
    type: SubscriptionType;
    /**
     * Who.
     */
    user: Person;
};

/**
 * What a thread is.
 *
 * - `comment`: A thread of comments.
 * - `suggestion`: A thread about a change that somebody suggests.
 */
export type AnnotationType = 'comment' | 'suggestion';

/**
 * An API key in a list (siblings 3.5).
 */
export type ApiKey = {
    apiKeyName: string;
    /**
     * Whether calls with it are refused; absent when they are not.
     */
    disabled?: boolean;
    id: ApiKeyId;
    type: ApiKeyType;
};

export type ApiKeyConfig = {
    /**
     * Absent when there is none.
     */
    aiModelsConfig?: ApiKeyConfigAiModelsConfig;
    /**
     * Of documents that have none of their own.
     */
    defaultDocumentAccessType: AccessType;
    features: ApiKeyFeatures;
    isPrivateCommentsEnabled: boolean;
    ownerEmail: string;
    /**
     * Of the workspace.
     */
    planInfo: PlanInfo;
    /**
     * Whether users join the organization with their first access.
     */
    requireAutoOrgUser: boolean;
    /**
     * Whether clients must present end-user tokens.
     */
    requireJwtToken: boolean;
};

export type ApiKeyConfigAiModelsConfig = {
    anthropic?: MaskedAiKey;
    gemini?: MaskedAiKey;
    openai?: MaskedAiKey;
};

export type ApiKeyConfigChanged = {
    aiModelsConfig?: ApiKeyConfigChangedAiModelsConfig;
    defaultDocumentAccessType?: AccessType;
    enablePrivateComments?: boolean;
    features?: ApiKeyFeaturesPatch;
    requireAutoOrgUser?: boolean;
    requireJwtToken?: boolean;
};

export type ApiKeyConfigChangedAiModelsConfig = {
    anthropic?: MaskedAiKey;
    gemini?: MaskedAiKey;
    openai?: MaskedAiKey;
};

export type ApiKeyCreated = {
    apiKey: ApiKeyId;
};

/**
 * Features of an API key, on unless switched off (decisions 3).
 */
export type ApiKeyFeatures = {
    /**
     * Folders can be listed (spec 4.10).
     */
    advancedQueries: boolean;
    /**
     * Users can have notification preferences (spec 4.25).
     */
    userNotificationConfig: boolean;
};

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
    mailsPerDay: number | null;
    /**
     * Null: as the deployment has it, here and below.
     */
    readsPerSecond: number | null;
    writesPerSecond: number | null;
};

/**
 * What a key is for (spec 2.1).
 *
 * - `testing`: For trying things out.
 * - `production`: For customers; limited in number.
 */
export type ApiKeyType = 'testing' | 'production';

/**
 * Spec 2.2.
 */
export type AuthToken = {
    /**
     * Domains it is restricted to; may be empty.
     */
    domains: Array<Domain>;
    /**
     * When it stops working, in epoch milliseconds; absent of the current one.
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
     * Empty when the key was created without one.
     */
    authTokens: Array<AuthToken>;
};

/**
 * Taking notifications together, by document and by user.
 */
export type BatchConfig = {
    /**
     * Those of one document.
     */
    document?: NotificationWindow;
    /**
     * Those of one user.
     */
    user?: NotificationWindow;
};

/**
 * Taking notifications together, by document and by user.
 */
export type BatchConfigInput = {
    /**
     * Those of one document.
     */
    document?: NotificationWindowInput | null;
    /**
     * Those of one user.
     */
    user?: NotificationWindowInput | null;
};

/**
 * A channel: 1 to 128 letters, digits, `-`, `_`, `.` and `:`. What happens in a document has two: `organization.{organizationId}` and `document.{documentId}`. For an id with other characters, or too long a one, its SHA-256 in hexadecimal stands behind a colon: `document:7509e5bd…`. An event about webhooks themselves has none.
 */
export type Channel = string;

/**
 * A comment as callers see it.
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
    sourceType: SourceType;
    status: CommentStatus;
    taggedUserContacts: Array<CommentContact>;
    /**
     * Who is mentioned.
     */
    to: Array<Person>;
    type: CommentKind;
};

/**
 * The agent that wrote a comment.
 */
export type CommentAgent = {
    /**
     * Which one it is.
     */
    agentId: string;
    /**
     * Display name.
     */
    agentName?: string;
    /**
     * Whose it is.
     */
    agentSource: AgentSource;
    /**
     * What kind it is.
     */
    agentType: CommentAgentType;
    /**
     * The run it wrote the comment in.
     */
    executionId?: string;
    /**
     * Why it comments.
     */
    reason: AgentReason;
    /**
     * The page it looked at.
     */
    url?: string;
};

/**
 * What kind of agent it is.
 *
 * - `built-in`: One that every workspace has.
 * - `custom`: The workspace's own.
 * - `external`: One that the service does not know.
 */
export type CommentAgentType = 'built-in' | 'custom' | 'external';

/**
 * A thread as callers see it.
 */
export type CommentAnnotation = {
    agent?: CommentAgent;
    annotationId: AnnotationId;
    assignedTo?: Person;
    commentType: CommentType;
    comments: Array<Comment>;
    /**
     * How many comments there are in all, where these are not all.
     */
    commentsCount?: number;
    /**
     * What the caller says of it, with `accessFields` that follow from its `access`.
     */
    context?: JsonObject;
    /**
     * Epoch milliseconds.
     */
    createdAt: number;
    from: Person;
    /**
     * Whether there are more than these: `comments/get` lists all.
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
    sourceType: SourceType;
    status: AnnotationStatus;
    statusUpdatedByUserId?: UserId;
    subscribedUsers: {
        [key: string]: AnnotationSubscription;
    };
    suggestion?: Suggestion;
    targetElement?: JsonObject;
    type: AnnotationType;
    unsubscribedUsers: {
        [key: string]: Unsubscribed;
    };
    visibilityConfig: Visibility;
};

/**
 * How one thread went. A denied one without an id of the caller's is called `__service_denied:` and its position.
 */
export type CommentAnnotationAdded = {
    annotationId: AnnotationId;
    commentIds: Array<number>;
    /**
     * What the agent calls what it found.
     */
    findingId?: string;
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
    success: boolean;
};

export type CommentAnnotationCount = {
    total: number;
    unread: number;
};

/**
 * What callers change of threads: absent keeps, `null` clears.
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
     * Who resolved the thread; cleared by a status that is not terminal.
     */
    resolvedByUserId?: UserId | null;
    /**
     * `null` opens the thread again.
     */
    status?: AnnotationStatusInput | null;
    /**
     * Who changes the status.
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
 * How one item of a batch went: `success` and `message`.
 */
export type CommentAnnotationResult = {
    id: AnnotationId;
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
    success: boolean;
};

export type CommentAnnotationsFound = Array<CommentAnnotation | null> | CommentAnnotationsFoundMap;

export type CommentAnnotationsFoundMap = {
    [key: string]: Array<CommentAnnotation>;
};

/**
 * A file that hangs on a comment.
 */
export type CommentAttachment = {
    /**
     * Its number, unique in the thread.
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
 * Somebody mentioned in a comment, as `{{userId}}` in its text.
 */
export type CommentContact = {
    /**
     * What is known of them.
     */
    contact?: Person | null;
    /**
     * Who.
     */
    userId: UserId;
};

/**
 * Something happened to a thread of comments.
 */
export type CommentEvent = {
    /**
     * The type without what it happened to: `add`.
     */
    actionType?: string;
    /**
     * Who did it; null when the caller did not say.
     */
    actionUser?: Person | null;
    annotationId: AnnotationId;
    apiKey: ApiKeyId;
    /**
     * The thread; of a deletion as it was before.
     */
    commentAnnotation?: CommentAnnotation;
    /**
     * Absent when it happened to the thread.
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
    /**
     * Always `sdk`.
     */
    platform?: string;
    /**
     * `comment`, `crdt` or `recorder`.
     */
    source?: string;
    /**
     * The comment; of a deletion as it was before.
     */
    targetComment?: Comment;
    /**
     * True when the rest was left out because of its size.
     */
    truncated?: boolean;
};

/**
 * The frame of every body. One of more than 256 KiB has only ids in `data`, and `truncated`.
 */
export type CommentEventWebhook = {
    /**
     * Absent once a user was erased whom it named.
     */
    data?: CommentEvent;
    /**
     * True when a user was erased whom `data` named.
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
     * When it happened.
     */
    timestamp: string;
    type: CommentEventWebhookType;
};

export type CommentEventWebhookType = 'comment_annotation.add' | 'comment_annotation.assign' | 'comment_annotation.status_change' | 'comment_annotation.priority_change' | 'comment_annotation.subscribe' | 'comment_annotation.unsubscribe' | 'comment_annotation.suggestion_accept' | 'comment_annotation.suggestion_reject' | 'comment.add' | 'comment.update' | 'comment.delete' | 'comment.reaction_add' | 'comment.reaction_delete';

export type CommentKind = 'text';

/**
 * What callers change of comments: absent keeps, `null` clears.
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
 * How one item of a batch went: `success` and `message`.
 */
export type CommentResult = {
    id: number;
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
    success: boolean;
};

export type CommentStatus = 'added' | 'updated';

/**
 * How a thread came about.
 *
 * - `manual`: By hand.
 * - `chart`: On a chart.
 * - `suggestion`: As older clients mark suggestions.
 */
export type CommentType = 'manual' | 'chart' | 'suggestion';

export type CommentsAddRequest = {
    annotationId: AnnotationId;
    commentData: Array<NewComment>;
    /**
     * Whether to create the document when there is none.
     */
    createDocument?: boolean | null;
    /**
     * Whether to create the organization when there is none.
     */
    createOrganization?: boolean | null;
    documentId: DocumentId;
    organizationId: OrganizationId;
    /**
     * Whether authors have to have a right to the document.
     */
    verifyUserPermissions?: boolean | null;
};

export type CommentsAddResult = Success & {
    data: Array<number>;
};

export type CommentsAnnotationsAddRequest = {
    commentAnnotations: Array<NewCommentAnnotation>;
    /**
     * Whether to create the document when there is none.
     */
    createDocument?: boolean | null;
    /**
     * Whether to create the organization when there is none.
     */
    createOrganization?: boolean | null;
    documentId: DocumentId;
    organizationId: OrganizationId;
    /**
     * Whether authors have to have a right to the document.
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
     * Of these statuses; of all when none are named.
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
     * Of this agent.
     */
    agentId?: string | null;
    /**
     * Suggestions of agents only.
     */
    agentSuggestions?: boolean | null;
    /**
     * Of agents that looked at one of these pages.
     */
    agentUrls?: Array<string> | null;
    annotationIds?: Array<AnnotationId> | null;
    documentId: DocumentId;
    /**
     * Who deletes them.
     */
    from?: StrictPerson | null;
    locationIds?: Array<string> | null;
    organizationId: OrganizationId;
    /**
     * Whether activity records are written of it.
     */
    triggerActivities?: boolean | null;
    /**
     * Whether people are notified of it; webhooks are always told.
     */
    triggerNotification?: boolean | null;
    /**
     * Of these authors.
     */
    userIds?: Array<UserId> | null;
};

export type CommentsAnnotationsDeleteResult = Success & {
    data: {
        [key: string]: CommentAnnotationResult;
    };
};

export type CommentsAnnotationsGetRequest = {
    /**
     * Comments of agents only.
     */
    agentComments?: boolean | null;
    /**
     * Of this agent; at most one member may ask for agents.
     */
    agentId?: string | null;
    agentSource?: AgentSource | null;
    /**
     * Suggestions of agents only.
     */
    agentSuggestions?: boolean | null;
    agentType?: CommentAgentType | null;
    annotationIds?: Array<AnnotationId> | null;
    createdAfter?: number | null;
    createdBefore?: number | null;
    documentId?: DocumentId | null;
    /**
     * Of several documents; of all when none are named.
     */
    documentIds?: Array<DocumentId> | null;
    executionId?: string | null;
    /**
     * Of the documents of this folder, `root` for those in none.
     */
    folderId?: FolderId | null;
    /**
     * Whether to answer with a map by document, without what is not found.
     */
    groupByDocumentId?: boolean | null;
    locationIds?: Array<string> | null;
    mentionedUserIds?: Array<UserId> | null;
    order?: SortOrder | null;
    organizationId: OrganizationId;
    pageSize?: number | null;
    pageToken?: string | null;
    /**
     * Resolved by this user.
     */
    resolvedBy?: UserId | null;
    statusIds?: Array<string> | null;
    /**
     * Epoch milliseconds.
     */
    updatedAfter?: number | null;
    updatedBefore?: number | null;
    /**
     * Of these authors.
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
     * Whether people are notified of it; webhooks are always told.
     */
    triggerNotification?: boolean | null;
    user: Person;
};

export type CommentsAnnotationsSubscribeResult = Success & {
    data: Done;
};

export type CommentsAnnotationsUnsubscribeRequest = {
    annotationId: AnnotationId;
    documentId: DocumentId;
    organizationId: OrganizationId;
    /**
     * Whether people are notified of it; webhooks are always told.
     */
    triggerNotification?: boolean | null;
    user: Person;
};

export type CommentsAnnotationsUnsubscribeResult = Success & {
    data: Done;
};

export type CommentsAnnotationsUpdateRequest = {
    annotationIds?: Array<AnnotationId> | null;
    documentId: DocumentId;
    locationIds?: Array<string> | null;
    organizationId: OrganizationId;
    /**
     * Whether activity records are written of it.
     */
    triggerActivities?: boolean | null;
    /**
     * Whether people are notified of it; webhooks are always told.
     */
    triggerNotification?: boolean | null;
    /**
     * Users who take the place of others, wherever the threads name them.
     */
    updateUsers?: Array<UserReplacement> | null;
    /**
     * Required unless `updateUsers` is sent.
     */
    updatedData?: CommentAnnotationPatch | null;
    /**
     * Of these authors.
     */
    userIds?: Array<UserId> | null;
};

export type CommentsAnnotationsUpdateResult = Success & {
    data: {
        [key: string]: CommentAnnotationResult;
    };
};

export type CommentsDeleteRequest = {
    annotationId: AnnotationId;
    /**
     * These; all when none are named.
     */
    commentIds?: Array<number> | null;
    documentId: DocumentId;
    /**
     * Who deletes them.
     */
    from?: StrictPerson | null;
    organizationId: OrganizationId;
    /**
     * Whether activity records are written of it.
     */
    triggerActivities?: boolean | null;
    /**
     * Whether people are notified of it; webhooks are always told.
     */
    triggerNotification?: boolean | null;
};

export type CommentsDeleteResult = Success & {
    data: {
        [key: string]: CommentResult;
    };
};

export type CommentsGetRequest = {
    annotationId: AnnotationId;
    /**
     * These; all when none are named.
     */
    commentIds?: Array<number> | null;
    documentId: DocumentId;
    organizationId: OrganizationId;
    pageSize?: number | null;
    pageToken?: string | null;
    /**
     * Of these authors; of all when none are named.
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
     * Who reacts.
     */
    from: Person;
    /**
     * Its name, such as `HEART_FACE`.
     */
    icon: string;
    organizationId: OrganizationId;
    /**
     * Whether activity records are written of it.
     */
    triggerActivities?: boolean | null;
    /**
     * Whether people are notified of it; webhooks are always told.
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
     * A user as named in the data of others: the author of a comment, who acted. Kept as it was sent, whether the user is known or not.
     */
    from: StrictPerson;
    /**
     * Its name, such as `HEART_FACE`.
     */
    icon: string;
    organizationId: OrganizationId;
    /**
     * Whether activity records are written of it.
     */
    triggerActivities?: boolean | null;
    /**
     * Whether people are notified of it; webhooks are always told.
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
     * Whether activity records are written of it.
     */
    triggerActivities?: boolean | null;
    /**
     * Whether people are notified of it; webhooks are always told.
     */
    triggerNotification?: boolean | null;
    updatedData: CommentPatch;
};

export type CommentsUpdateResult = Success & {
    data: {
        [key: string]: CommentResult;
    };
};

export type ConfigurationActivitiesGetResult = Success & {
    data: ActivityConfig;
};

export type ConfigurationActivitiesUpdateRequest = {
    /**
     * Members left out keep their values.
     */
    activityServiceConfig: ActivityService;
};

export type ConfigurationActivitiesUpdateResult = Success & {
    data: ActivityConfig;
};

export type ConfigurationAdvancedWebhooksGetResult = Success & {
    data: AdvancedWebhookConfig;
};

export type ConfigurationAdvancedWebhooksUpdateRequest = {
    /**
     * Kept as it is sent.
     */
    enableDataProtection?: boolean | null;
    /**
     * Whether bodies are sent in base64.
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
     * What they are encrypted with: an RSA key in base64, without PEM lines; an empty text unsets it.
     */
    publicKey?: string | null;
};

export type ConfigurationAdvancedWebhooksUpdateResult = Success & {
    data: AdvancedWebhookConfig;
};

export type ConfigurationEmailGetResult = Success & {
    data: EmailConfig;
};

export type ConfigurationEmailUpdateRequest = {
    /**
     * Members left out keep their values.
     */
    emailServiceConfig?: EmailService | null;
    /**
     * Service switch.
     */
    useEmailService?: boolean | null;
};

export type ConfigurationEmailUpdateResult = Success & {
    data: EmailConfig;
};

export type ConfigurationNotificationsGetResult = Success & {
    data: NotificationConfig;
};

export type ConfigurationNotificationsUpdateRequest = {
    /**
     * Members left out keep their values.
     */
    notificationServiceConfig?: NotificationServiceInput | null;
    /**
     * Service switch.
     */
    useNotificationService?: boolean | null;
};

export type ConfigurationNotificationsUpdateResult = Success & {
    data: NotificationConfig;
};

export type ConfigurationWebhooksGetResult = Success & {
    data: WebhookConfig;
};

export type ConfigurationWebhooksUpdateRequest = {
    /**
     * Service switch.
     */
    useWebhookService?: boolean | null;
    /**
     * Members left out keep their values.
     */
    webhookServiceConfig?: WebhookService | null;
};

export type ConfigurationWebhooksUpdateResult = Success & {
    data: WebhookConfig;
};

export type Context = {
    access?: {
        [key: string]: string | number;
    };
    [key: string]: unknown;
};

/**
 * The number of the version that is current now.
 */
export type CurrentAgentVersion = {
    version: number;
};

/**
 * Waiting before a notification, in case its reader sees its cause meanwhile.
 */
export type DelayConfig = {
    delaySeconds: number | null;
    isEnabled: boolean | null;
};

/**
 * Waiting before a notification, in case its reader sees its cause meanwhile.
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
     * At most this many; 50 when absent.
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
     * Only messages that were sent to this endpoint, or wait for it.
     */
    endpointId?: EndpointId | null;
    /**
     * The `iterator` or the `prevIterator` of another page; the newest messages when absent.
     */
    iterator?: string | null;
    /**
     * At most this many; 50 when absent.
     */
    limit?: number | null;
    /**
     * Only messages of events since then.
     */
    since?: Instant | null;
};

export type DeliveriesMessagesGetResult = Success & {
    data: WebhookMessages;
};

export type DeliveriesMessagesResendRequest = {
    /**
     * Where to send it: an endpoint, or `basic-raw` or `basic-processed` for what was sent as a basic webhook.
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
     * Why no answer came: `address_refused`, `dns`, `connect`, `tls`, `no_root_certificates`, `timeout`, `protocol`, `url`, `encryption` or `signature`.
     */
    failure: string | null;
    id: string;
    messageId: MessageId;
    /**
     * The first 16 KiB of the answer; empty in old attempts of a message whose answers take more than 300 KB together.
     */
    response: string;
    /**
     * Whether `response` is in base64, because it was no text.
     */
    responseIsBase64: boolean;
    /**
     * `success` or `failed`.
     */
    status: string;
    /**
     * Null when no answer came.
     */
    statusCode: number | null;
    /**
     * When it began.
     */
    timestamp: string;
    /**
     * `scheduled` or `manual`.
     */
    trigger: string;
    /**
     * Where it was sent, up to 2,048 characters of it.
     */
    url: string;
};

export type DeliveryAttempts = {
    /**
     * Those of the newest message first; those of one message from endpoint to endpoint, the newest first; at one endpoint, the newest first. Of each message at an endpoint, the latest ten attempts of the schedule and the latest ten that were ordered.
     */
    attempts: Array<DeliveryAttempt>;
    /**
     * Whether there are no older attempts.
     */
    done: boolean;
    /**
     * Leads to older attempts; null when done.
     */
    iterator: string | null;
    /**
     * Leads back to newer attempts, sent as `iterator`; null on the first page.
     */
    prevIterator: string | null;
};

/**
 * Why an endpoint is disabled.
 *
 * - `gone`: It answered 410.
 * - `receiver_request`: It asked for it.
 * - `consecutive_failure`: Everything failed for days.
 * - `manual`: Its owner did it.
 */
export type DisableReason = 'gone' | 'receiver_request' | 'consecutive_failure' | 'manual';

/**
 * Spec 2.13.
 */
export type Document = {
    /**
     * Its own setting, else the default of the API key.
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
     * Absent when it lies in none.
     */
    folderId?: FolderId;
    id: DocumentId;
    /**
     * Epoch milliseconds.
     */
    lastUpdated: number;
    organizationId: OrganizationId;
    [key: string]: unknown;
};

export type DocumentAccessResult = {
    /**
     * As sent.
     */
    accessType: AccessType;
    code?: ItemErrorCode;
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
    success: boolean;
};

export type DocumentDisabledResult = {
    code?: ItemErrorCode;
    /**
     * As sent.
     */
    disabled: boolean;
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
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
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
    success: boolean;
};

export type DocumentsAccessUpdateRequest = {
    /**
     * Who may reach them.
     */
    accessType: AccessType;
    documentIds: Array<DocumentId>;
    organizationId: OrganizationId;
};

export type DocumentsAccessUpdateResult = Success & {
    data: {
        [key: string]: DocumentAccessResult;
    };
};

export type DocumentsAddRequest = {
    /**
     * Whether to create the folder at the top when there is none.
     */
    createFolder?: boolean | null;
    /**
     * Whether to create the organization when there is none.
     */
    createOrganization?: boolean | null;
    documents: Array<NewDocument>;
    /**
     * The folder they lie in; none when absent or `root`.
     */
    folderId?: FolderId | null;
    organizationId: OrganizationId;
};

export type DocumentsAddResult = Success & {
    data: {
        [key: string]: DocumentResult;
    };
};

export type DocumentsDeleteRequest = {
    documentIds: Array<DocumentId>;
    organizationId: OrganizationId;
};

export type DocumentsDeleteResult = Success & {
    data: {
        [key: string]: DocumentResult;
    };
};

export type DocumentsDisableRequest = {
    /**
     * Whether their end users are locked out.
     */
    disabled: boolean;
    documentIds: Array<DocumentId>;
    organizationId: OrganizationId;
};

export type DocumentsDisableResult = Success & {
    data: {
        [key: string]: DocumentDisabledResult;
    };
};

export type DocumentsGetRequest = {
    /**
     * These only; no filter when absent or empty.
     */
    documentIds?: Array<DocumentId> | null;
    /**
     * Those in this folder only. Documents added or moved a moment ago may be missing.
     */
    folderId?: FolderId | null;
    organizationId: OrganizationId;
    pageSize?: number | null;
    pageToken?: string | null;
};

export type DocumentsGetResult = Success & {
    data: Array<Document>;
    /**
     * Null on the last page.
     */
    pageToken: string | null;
};

export type DocumentsMoveDocumentsRequest = {
    documentIds: Array<DocumentId>;
    /**
     * The folder they shall lie in; `root` for none.
     */
    folderId: FolderId;
    organizationId: OrganizationId;
};

export type DocumentsUpdateRequest = {
    documents: Array<DocumentPatch>;
    organizationId: OrganizationId;
};

export type DocumentsUpdateResult = Success & {
    data: {
        [key: string]: DocumentResult;
    };
};

/**
 * A domain that may use an API key: a host, or `*.` and the suffix of its subdomains (decisions 2). Sent as a host or a URL; kept without scheme, `www.`, port and path.
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

export type Editor = {
    /**
     * The name of the shared type that holds the content.
     */
    contentKey: string;
    /**
     * A string, an object or an array, as `type` says.
     */
    data: unknown;
    /**
     * The editor.
     */
    id: EditorId;
    lastUpdate: string;
    /**
     * Null when it was not said.
     */
    lastUpdatedBy: UserId | null;
    /**
     * Null: nobody has a session here.
     */
    sessionId: string | null;
    type: EditorType;
};

/**
 * A shared editor at the time of sending.
 */
export type EditorContent = {
    /**
     * The content, as `crdt/get` shows it.
     */
    data?: unknown;
    id: EditorId;
    lastUpdate?: string;
    /**
     * Who changed it last, as far as is known.
     */
    lastUpdatedBy?: unknown;
    /**
     * Always null.
     */
    sessionId?: null;
};

/**
 * The content of a shared editor changed. Changes less than 5 seconds apart are one event.
 */
export type EditorEvent = {
    /**
     * The type without what it happened to: `add`.
     */
    actionType?: string;
    /**
     * Who did it; null when the caller did not say.
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
    /**
     * Always `sdk`.
     */
    platform?: string;
    /**
     * `comment`, `crdt` or `recorder`.
     */
    source?: string;
    /**
     * True when the rest was left out because of its size.
     */
    truncated?: boolean;
};

/**
 * The frame of every body. One of more than 256 KiB has only ids in `data`, and `truncated`.
 */
export type EditorEventWebhook = {
    /**
     * Absent once a user was erased whom it named.
     */
    data?: EditorEvent;
    /**
     * True when a user was erased whom `data` named.
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
     * When it happened.
     */
    timestamp: string;
    type: EditorEventWebhookType;
};

export type EditorEventWebhookType = 'crdt.update_data';

/**
 * An editor whose data is a CRDT, within a document.
 */
export type EditorId = string;

/**
 * How one item of a batch went: `success` and `message`.
 */
export type EditorResult = {
    id: EditorId;
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
    success: boolean;
};

export type EditorState = {
    /**
     * SHA-256 of the state vector and of what is deleted, each as text in order, by which a peer can tell that it has the same. Null while updates wait for others that are missing.
     */
    stateHash: string | null;
    /**
     * What the peer has with it.
     */
    stateVector: string;
    /**
     * What the peer lacks.
     */
    update: string;
};

/**
 * What an editor holds (spec 2.16).
 *
 * - `text`: A string.
 * - `map`: An object.
 * - `array`: An array.
 * - `xml`: A string of elements.
 */
export type EditorType = 'text' | 'map' | 'array' | 'xml';

export type EditorsAddRequest = {
    /**
     * The name of the shared type that holds the content; `content` when absent.
     */
    contentKey?: string | null;
    /**
     * A string for `text` and `xml`, an object for `map`, an array for `array`.
     */
    data: unknown;
    documentId: DocumentId;
    editorId: EditorId;
    organizationId: OrganizationId;
    type: EditorType;
    /**
     * Who did it.
     */
    userId?: UserId | null;
};

export type EditorsDeleteRequest = {
    documentId: DocumentId;
    /**
     * These only; every editor of the document when absent.
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
    documentId: DocumentId;
    /**
     * This one only; every editor of the document when absent.
     */
    editorId?: EditorId | null;
    organizationId: OrganizationId;
};

export type EditorsGetResult = Success & {
    data: Array<Editor>;
};

export type EditorsStateGetRequest = {
    documentId: DocumentId;
    editorId: EditorId;
    organizationId: OrganizationId;
    /**
     * What the peer has, as Yjs encodes it; nothing when absent.
     */
    stateVector?: string | null;
};

export type EditorsStateGetResult = Success & {
    data: EditorState;
};

export type EditorsUpdateRequest = {
    /**
     * The name of the shared type that holds the content; that of the editor when absent.
     */
    contentKey?: string | null;
    /**
     * A string for `text` and `xml`, an object for `map`, an array for `array`.
     */
    data: unknown;
    documentId: DocumentId;
    editorId: EditorId;
    organizationId: OrganizationId;
    type: EditorType;
    /**
     * Who did it.
     */
    userId?: UserId | null;
};

export type EditorsUpdatesAddRequest = {
    /**
     * The name of the shared type that holds the content of an editor that is added; `content` when absent.
     */
    contentKey?: string | null;
    documentId: DocumentId;
    editorId: EditorId;
    organizationId: OrganizationId;
    /**
     * What the editor holds; it is added with this type when there is none yet.
     */
    type?: EditorType | null;
    /**
     * Each of at most 350 KB before base64.
     */
    updates: Array<string>;
    /**
     * Who did it.
     */
    userId?: UserId | null;
};

export type EffectivePermission = {
    accessRole?: AccessRole;
    /**
     * What holds for the resource, inherited or not; absent for organizations.
     */
    accessType?: AccessType;
    error?: string;
    errorCode?: PermissionErrorCode;
    /**
     * When the right ends, in epoch seconds; never when absent.
     */
    expiresAt?: number;
};

/**
 * Email configuration (spec 2.6).
 */
export type EmailConfig = {
    /**
     * How and what to send.
     */
    emailServiceConfig: EmailService;
    /**
     * Service switch.
     */
    useEmailService: boolean;
};

/**
 * The `emailServiceConfig` of spec 2.6; what is absent was never set.
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
     * Which events send mail.
     */
    triggers?: Triggers | null;
    /**
     * Who sends.
     */
    type?: EmailType | null;
};

/**
 * How mails are sent (spec 2.6).
 *
 * - `default`: By the deployment itself.
 * - `thirdparty`: By the provider whose key is configured.
 * - `custom`: Written by the seeding of 4.8.
 */
export type EmailType = 'default' | 'thirdparty' | 'custom';

/**
 * A webhook endpoint was added, changed, deleted or disabled, or soon will be.
 */
export type EndpointEvent = {
    apiKey: ApiKeyId;
    endpointId: EndpointId;
    /**
     * Of `endpoint.failing`: how much of the time has passed after which it is disabled.
     */
    percent?: number;
    /**
     * Of `endpoint.disabled`: why.
     */
    reason?: DisableReason;
};

/**
 * The frame of every body. One of more than 256 KiB has only ids in `data`, and `truncated`.
 */
export type EndpointEventWebhook = {
    /**
     * Absent once a user was erased whom it named.
     */
    data?: EndpointEvent;
    /**
     * True when a user was erased whom `data` named.
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
     * When it happened.
     */
    timestamp: string;
    type: EndpointEventWebhookType;
};

export type EndpointEventWebhookType = 'endpoint.created' | 'endpoint.updated' | 'endpoint.deleted' | 'endpoint.disabled' | 'endpoint.failing';

/**
 * An endpoint that receives webhooks.
 */
export type EndpointId = string;

/**
 * The caller's own name of an endpoint: 1 to 256 letters, digits, `-`, `_` and `.`.
 */
export type EndpointUid = string;

/**
 * An http(s) URL of at most 65536 characters.
 */
export type EndpointUrl = string;

/**
 * What an activity is about: a thread, a recording, anything of the caller's.
 */
export type EntityId = string;

export type ErasureJob = {
    /**
     * To ask how far it is, for 30 days.
     */
    jobId: JobId;
    /**
     * One for each user.
     */
    tasksCount: number;
};

export type ErasureStatus = {
    /**
     * Whether all of them are erased. What still names them goes by itself: events that people were notified of within 90 days, backups within 35; live state and the content of editors are as callers wrote them.
     */
    isDeleteCompleted: boolean;
    /**
     * When the last one was, in epoch milliseconds; null before the first one.
     */
    lastTaskCompletedTime: number | null;
    /**
     * Users who are not erased yet.
     */
    tasksLeft: number;
};

export type Error = {
    details?: ErrorDetails;
    /**
     * One sentence for people.
     */
    message: string;
    status: ErrorStatus;
};

/**
 * What is wrong with which member of the body.
 */
export type ErrorDetails = {
    issues?: Array<ErrorIssue>;
};

/**
 * What is wrong with one member of the body.
 */
export type ErrorIssue = {
    /**
     * Such as `required`, `invalid_type`, `invalid_value`, `unknown_member`.
     */
    code: string;
    message: string;
    /**
     * From the body down: names of members, and places in arrays.
     */
    path: Array<string | number>;
};

/**
 * The reply of a call that failed.
 */
export type ErrorResponse = {
    error: Error;
};

export type ErrorStatus = 'INVALID_ARGUMENT' | 'FAILED_PRECONDITION' | 'PERMISSION_DENIED' | 'NOT_FOUND' | 'ALREADY_EXISTS' | 'ABORTED' | 'RESOURCE_EXHAUSTED' | 'INTERNAL' | 'UNAVAILABLE';

/**
 * The type of an event: 1 to 256 letters, digits, `-`, `_` and `.`.
 */
export type EventType = string;

/**
 * How bad what an agent found is.
 */
export type FindingSeverity = 'critical' | 'high' | 'medium' | 'low' | 'info';

export type FindingType = 'text' | 'pin' | 'page';

/**
 * Spec 2.9.
 */
export type Folder = {
    /**
     * What holds for it, inherited or not.
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
     * Present when nested folders were asked for.
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
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
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
     * The folder to move it into; `root` for the top.
     */
    parentFolderId?: FolderId | null;
};

export type FolderResult = {
    code?: ItemErrorCode;
    id: FolderId;
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
    success: boolean;
};

export type FoldersAccessUpdateRequest = {
    /**
     * Who may reach them; needed unless they inherit.
     */
    accessType?: AccessType | null;
    folderIds: Array<FolderId>;
    /**
     * Whether the access type of the parent holds.
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
     * Whether to create the organization when there is none.
     */
    createOrganization?: boolean | null;
    folders: Array<NewFolder>;
    organizationId: OrganizationId;
};

export type FoldersAddResult = Success & {
    data: {
        [key: string]: FolderResult;
    };
};

export type FoldersDeleteRequest = {
    folderId: FolderId;
    organizationId: OrganizationId;
};

export type FoldersDeleteResult = Success & {
    data: null;
};

export type FoldersGetRequest = {
    /**
     * This folder only.
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

export type FoldersUpdateResult = Success & {
    data: {
        [key: string]: FolderResult;
    };
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
 * Why an item failed (spec 4.17).
 *
 * - `not-found`: What the item names does not exist; not safe to retry.
 * - `already-exists`: What the item adds is there already.
 * - `invalid-argument`: The item is not acceptable in the state found.
 * - `resource-exhausted`: There are as many as there may be.
 * - `internal`: A failure of the server; safe to retry.
 */
export type ItemErrorCode = 'not-found' | 'already-exists' | 'invalid-argument' | 'resource-exhausted' | 'internal';

/**
 * How one item of a batch went: `success` and `message`.
 */
export type ItemOutcome = {
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
    success: boolean;
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
     * Counts the writes, from 1.
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
     * Whether to merge it into what is there: members merge at any depth, `null` removes one, arrays and all else replace. Otherwise the whole is replaced.
     */
    merge?: boolean | null;
    organizationId: OrganizationId;
};

export type LiveStateBroadcastResult = Success & {
    data: Done;
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
     * This one only.
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
 * A secret as far as it may be shown.
 */
export type MaskedAiKey = {
    displayText: string;
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
 * How a server of tools is reached.
 */
export type McpTransport = 'http';

/**
 * A webhook message fails at an endpoint, or was delivered after failures.
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
     * The last HTTP status of the endpoint; null when it did not answer.
     */
    statusCode: number | null;
};

/**
 * The frame of every body. One of more than 256 KiB has only ids in `data`, and `truncated`.
 */
export type MessageEventWebhook = {
    /**
     * Absent once a user was erased whom it named.
     */
    data?: MessageEvent;
    /**
     * True when a user was erased whom `data` named.
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
     * When it happened.
     */
    timestamp: string;
    type: MessageEventWebhookType;
};

export type MessageEventWebhookType = 'message.attempt.failing' | 'message.attempt.exhausted' | 'message.attempt.recovered';

/**
 * A message to webhook endpoints.
 */
export type MessageId = string;

/**
 * An activity as callers send it to be added.
 */
export type NewActivity = {
    /**
     * URL or name of an icon.
     */
    actionIcon?: string | null;
    /**
     * What was done, such as `comment.add`.
     */
    actionType: string;
    /**
     * Who did it.
     */
    actionUser: Person;
    /**
     * What changed, by member.
     */
    changes?: NewActivityChanges | null;
    /**
     * The sentence people read, with `{{variable}}` where values go.
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
     * What it is part of.
     */
    featureType: ActivityFeature;
    /**
     * Generated when absent.
     */
    id?: ActivityId | null;
    /**
     * Whether clients resolve it.
     */
    isActivityResolverUsed?: boolean | null;
    /**
     * What it is about; required for custom activities.
     */
    targetEntityId?: EntityId | null;
    /**
     * The part of it that it is about.
     */
    targetSubEntityId?: EntityId | null;
};

export type NewActivityChanges = {
    [key: string]: ValueChangeInput;
};

/**
 * A comment as callers send it.
 */
export type NewComment = {
    /**
     * The agent that wrote it.
     */
    agent?: NewCommentAgent | null;
    attachments?: Array<NewCommentAttachment> | null;
    commentHtml?: string | null;
    /**
     * Its number; generated when absent.
     */
    commentId?: number | null;
    commentText?: string | null;
    context?: Context | null;
    /**
     * Epoch milliseconds; now when absent.
     */
    createdAt?: number | null;
    /**
     * Who wrote it.
     */
    from: Person;
    isCommentResolverUsed?: boolean | null;
    isCommentTextAvailable?: boolean | null;
    /**
     * Epoch milliseconds; now when absent.
     */
    lastUpdated?: number | null;
    /**
     * Who is mentioned.
     */
    taggedUserContacts?: Array<CommentContact> | null;
    /**
     * Whether activity records are written of it.
     */
    triggerActivities?: boolean | null;
    /**
     * Whether people are notified of it; webhooks always get it.
     */
    triggerNotification?: boolean | null;
};

/**
 * An agent as callers name it.
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
 * A thread as callers send it.
 */
export type NewCommentAnnotation = {
    /**
     * Generated when absent; without colons.
     */
    annotationId?: AnnotationId | null;
    assignedTo?: Person | null;
    /**
     * Its comments, the first one first.
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
     * What is suggested; for the type `suggestion` only.
     */
    suggestion?: NewSuggestion | null;
    /**
     * The element it is pinned to.
     */
    targetElement?: JsonObject | null;
    /**
     * `comment` when absent.
     */
    type?: AnnotationType | null;
    visibility?: NewVisibility | null;
};

/**
 * An attachment as callers send it.
 */
export type NewCommentAttachment = {
    /**
     * Its number; generated when absent.
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
     * Who may reach it; inherited from the parent when absent.
     */
    accessType?: AccessType | null;
    folderId: FolderId;
    folderName?: string | null;
    /**
     * The folder it lies in; `root` when absent.
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
 * A user as callers send them: whole to add, in part to update.
 */
export type NewPresenceUser = {
    /**
     * E-mail address.
     */
    email?: string | null;
    /**
     * Display name.
     */
    name?: string | null;
    /**
     * Such as `online`, which a new record has when it is left out, `away` or `offline`.
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
     * Says what is recorded unless it has a version already.
     */
    displayName?: string | null;
    /**
     * Who recorded it.
     */
    from?: Person | null;
    /**
     * `floating` unless it has a version already.
     */
    mode?: RecordingMode | null;
    recordedTime: NewRecordedTime;
    /**
     * `audio` unless it has a version already.
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
     * Where the file is.
     */
    url: string;
};

/**
 * A suggestion as callers send it, with members of their own.
 */
export type NewSuggestion = {
    /**
     * Its outcome; `pending` for a new one.
     */
    status?: SuggestionStatus | null;
    [key: string]: unknown;
};

/**
 * A user as callers send them.
 */
export type NewUser = {
    /**
     * What the user may do; taken from v2 paths only.
     */
    accessRole?: AccessRole | null;
    /**
     * Color of cursor and avatar.
     */
    color?: string | null;
    /**
     * E-mail address, for notifications.
     */
    email?: string | null;
    /**
     * Letter of the avatar; the first of `name` unless sent.
     */
    initial?: string | null;
    /**
     * Whether the user administers.
     */
    isAdmin?: boolean | null;
    /**
     * Whether the user is not known by name.
     */
    isAnonymous?: boolean | null;
    /**
     * Whether the user is a guest.
     */
    isGuest?: boolean | null;
    /**
     * Whether the user may only read.
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
     * Plan of the caller's product.
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
 * The visibility of a thread as callers send it; public when `type` is absent.
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
     * Who sees it.
     */
    type?: VisibilityType | null;
    /**
     * Users who see it; required for `restricted`.
     */
    userIds?: Array<UserId> | null;
};

/**
 * Spec 2.14.
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
     * What the caller sent, with `apiKey`, `documentId` and `organizationId`.
     */
    metadata: JsonObject;
    notificationSource: NotificationSource;
    notificationSourceData: JsonObject;
    /**
     * Whether everybody is addressed who may reach the document.
     */
    notifyAll: boolean;
    /**
     * Who is addressed by name, by user id.
     */
    notifyUsers: {
        [key: string]: boolean;
    };
    /**
     * The same.
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
 * What is wanted on each channel; what is absent was not said.
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
 * Notification configuration (spec 2.7).
 */
export type NotificationConfig = {
    /**
     * Which events notify, and when.
     */
    notificationServiceConfig: NotificationService;
    /**
     * Service switch.
     */
    useNotificationService: boolean;
};

/**
 * The id of a notification: 1 to 256 letters, digits, `_` and `-`.
 */
export type NotificationId = string;

/**
 * What of all that happens a user wants to know.
 *
 * - `ALL`: Everything.
 * - `MINE`: What directly involves the user.
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
     * Whether those who have read it still find it among their own.
     */
    persistReadForUsers?: boolean | null;
    /**
     * Who has read it.
     */
    readByUserIds?: Array<UserId> | null;
};

export type NotificationPreference = {
    config: NotificationChannels;
    metadata: NotificationPreferenceScope;
};

/**
 * How one item of a batch went: `success` and `message`.
 */
export type NotificationPreferenceResult = {
    /**
     * The first that was sent.
     */
    documentId?: DocumentId;
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
    success: boolean;
    userId: UserId;
};

export type NotificationPreferenceScope = {
    apiKey: ApiKeyId;
    /**
     * Absent: the documents that have no preference of their own.
     */
    documentId?: DocumentId;
    organizationId: OrganizationId;
    userId: UserId;
};

/**
 * How one item of a batch went: `success` and `message`.
 */
export type NotificationResult = {
    id: NotificationId;
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
    success: boolean;
};

/**
 * The `notificationServiceConfig` of spec 2.7; what is absent was never set.
 */
export type NotificationService = {
    /**
     * Taking notifications together.
     */
    batchConfig?: BatchConfig;
    /**
     * Waiting before a notification.
     */
    delayConfig?: DelayConfig;
    /**
     * Which events notify, in groups `comment` and `huddle`.
     */
    triggers?: Triggers;
};

/**
 * The `notificationServiceConfig` of spec 2.7; what is absent was never set.
 */
export type NotificationServiceInput = {
    /**
     * Taking notifications together.
     */
    batchConfig?: BatchConfigInput | null;
    /**
     * Waiting before a notification.
     */
    delayConfig?: DelayConfigInput | null;
    /**
     * Which events notify, in groups `comment` and `huddle`.
     */
    triggers?: Triggers | null;
};

/**
 * What a notification comes of.
 *
 * - `custom`: The caller's product.
 * - `comment`: A thread of comments.
 * - `huddle`: A huddle.
 * - `crdt`: The data of an editor.
 * - `recorder`: A recording.
 */
export type NotificationSource = 'custom' | 'comment' | 'huddle' | 'crdt' | 'recorder';

/**
 * How long, and how many at most, are taken together.
 */
export type NotificationWindow = {
    batchWindowSeconds: number | null;
    isEnabled: boolean | null;
    maxActivities: number | null;
};

/**
 * How long, and how many at most, are taken together.
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
     * Whether to create the document when there is none.
     */
    createDocument?: boolean | null;
    /**
     * Whether to create the organization when there is none.
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
     * Whether the caller's client fills in the messages.
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
     * Whether everybody who may reach the document is addressed, too; true unless sent.
     */
    notifyAll?: boolean | null;
    /**
     * Who is addressed by name.
     */
    notifyUsers: Array<Person>;
    organizationId: OrganizationId;
    targetAnnotationId?: AnnotationId | null;
    /**
     * Whether to leave out users who may not reach the document.
     */
    verifyUserPermissions?: boolean | null;
};

export type NotificationsAddResult = Success & {
    data: NotificationAdded;
};

export type NotificationsConfigGetRequest = {
    /**
     * Required unless `getOrganizationConfig` is true, and by the v1 path always.
     */
    documentIds?: Array<DocumentId> | null;
    /**
     * Whether to tell, after the documents, what holds for those without a preference.
     */
    getOrganizationConfig?: boolean | null;
    organizationId: OrganizationId;
    userId: UserId;
};

export type NotificationsConfigGetResult = Success & {
    data: Array<NotificationPreference>;
};

export type NotificationsConfigSetRequest = {
    config: NotificationChannels;
    /**
     * Required by the v1 path.
     */
    documentIds?: Array<DocumentId> | null;
    organizationId: OrganizationId;
    userIds: Array<UserId>;
};

export type NotificationsConfigSetResult = Success & {
    data: {
        [key: string]: NotificationPreferenceResult;
    };
};

export type NotificationsDeleteRequest = {
    /**
     * Those about this document.
     */
    documentId?: DocumentId | null;
    /**
     * Those about this place.
     */
    locationId?: string | null;
    /**
     * These only.
     */
    notificationIds?: Array<NotificationId> | null;
    organizationId: OrganizationId;
    /**
     * Those addressed to this user.
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
     * Those about this document.
     */
    documentId?: DocumentId | null;
    /**
     * Those about this place.
     */
    locationId?: string | null;
    /**
     * These only.
     */
    notificationIds?: Array<NotificationId> | null;
    /**
     * By time; taken from the v2 path only.
     */
    order?: SortOrder | null;
    organizationId: OrganizationId;
    /**
     * Taken from the v2 path only.
     */
    pageSize?: number | null;
    /**
     * Taken from the v2 path only.
     */
    pageToken?: string | null;
    /**
     * Those addressed to this user and visible to them.
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
    annotationId: AnnotationId;
    documentId: DocumentId;
    organizationId: OrganizationId;
    userId: UserId;
};

export type NotificationsSeenResult = Success & {
    data: Done;
};

export type NotificationsTraceGetRequest = {
    /**
     * What happened in this document.
     */
    documentId?: DocumentId | null;
    /**
     * This event, or this custom notification.
     */
    eventId?: string | null;
    organizationId: OrganizationId;
    pageSize?: number | null;
    pageToken?: string | null;
    /**
     * What this user was to be notified of.
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
     * Only where it is about this document.
     */
    documentId?: DocumentId | null;
    /**
     * Only where it is about this place.
     */
    locationId?: string | null;
    notifications: Array<NotificationPatch>;
    organizationId: OrganizationId;
    /**
     * Only where it is addressed to this user.
     */
    userId?: UserId | null;
    /**
     * With `userId`: only where that user may reach the document and see the thread.
     */
    verifyUserPermissions?: boolean | null;
};

export type NotificationsUpdateResult = Success & {
    data: {
        [key: string]: NotificationResult;
    };
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
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
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
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
    success: boolean;
};

export type OrganizationsAddRequest = {
    organizations: Array<NewOrganization>;
};

export type OrganizationsAddResult = Success & {
    data: {
        [key: string]: OrganizationResult;
    };
};

export type OrganizationsDeleteRequest = {
    organizationIds: Array<OrganizationId>;
};

export type OrganizationsDeleteResult = Success & {
    data: {
        [key: string]: OrganizationResult;
    };
};

export type OrganizationsDisableRequest = {
    /**
     * Whether their end users are locked out.
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
     * These only; all when absent or empty.
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

export type OrganizationsUpdateResult = Success & {
    data: {
        [key: string]: OrganizationResult;
    };
};

export type PermissionErrorCode = 'does_not_exist' | 'permission_denied';

export type PermissionUser = {
    userId: UserId;
};

export type PermissionsAddRequest = {
    permissions: NewPermissions;
    user: PermissionUser;
};

export type PermissionsGetRequest = {
    documentIds?: Array<DocumentId> | null;
    folderIds?: Array<FolderId> | null;
    organizationId: OrganizationId;
    /**
     * Whether a folder or document that does not exist only fails its own entry.
     */
    skipResourceExistenceValidation?: boolean | null;
    userIds: Array<UserId>;
};

export type PermissionsGetResult = Success & {
    data: {
        [key: string]: UserPermissions;
    };
};

export type PermissionsRemoveRequest = {
    permissions: StrictRemovedPermissions;
    userId: UserId;
};

/**
 * A user as named in the data of others: the author of a comment, who acted. Kept as it was sent, whether the user is known or not.
 */
export type Person = {
    /**
     * Color of cursor and avatar.
     */
    color?: string | null;
    /**
     * E-mail address, for notifications.
     */
    email?: string | null;
    /**
     * Letter of the avatar; the first of `name` unless sent.
     */
    initial?: string | null;
    /**
     * Whether the user administers.
     */
    isAdmin?: boolean | null;
    /**
     * Whether the user is not known by name.
     */
    isAnonymous?: boolean | null;
    /**
     * Whether the user is a guest.
     */
    isGuest?: boolean | null;
    /**
     * Whether the user may only read.
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
     * Plan of the caller's product.
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

export type PresenceAddResult = Success & {
    data: Done;
};

export type PresenceDeleteRequest = {
    documentId: DocumentId;
    organizationId: OrganizationId;
    userIds: Array<UserId>;
};

export type PresenceDeleteResult = Success & {
    data: Done;
};

export type PresenceGetRequest = {
    documentId: DocumentId;
    organizationId: OrganizationId;
    pageSize?: number | null;
    pageToken?: string | null;
    /**
     * These only; no filter when absent or empty.
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

export type PresenceUpdateResult = Success & {
    data: Done;
};

/**
 * Spec 2.11.
 */
export type PresenceUser = {
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
 * A reaction as callers see it.
 */
export type Reaction = {
    annotationId: AnnotationId;
    commentAnnotationId: AnnotationId;
    commentId: number;
    fromUsers: Array<Reactor>;
    icon: string;
    involvedUserIds: Array<UserId>;
    /**
     * When somebody last chose it, in epoch milliseconds.
     */
    lastUpdated: number;
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
 * Who reacted, and when.
 */
export type Reactor = {
    /**
     * Who.
     */
    from: Person;
    /**
     * When.
     */
    lastUpdated: number;
};

export type ReasonSource = 'instructions' | 'knowledge';

/**
 * How long a recording is.
 */
export type RecordedTime = {
    /**
     * The same as a clock shows it, `HH:MM:SS`.
     */
    display: string;
    /**
     * In milliseconds.
     */
    duration: RecordingDuration;
};

/**
 * Spec 2.5.
 */
export type Recording = {
    annotationId: AnnotationId;
    /**
     * Its files.
     */
    attachments?: Array<RecordingAttachment>;
    /**
     * What it is called.
     */
    displayName?: string;
    /**
     * Who recorded it.
     */
    from?: Person;
    /**
     * When its latest version was added, in epoch milliseconds.
     */
    lastUpdated: number;
    latestVersion: number;
    metadata: RecordingPlace;
    mode: RecordingMode;
    /**
     * When its first version was added, in epoch milliseconds.
     */
    recordedAt: number;
    /**
     * How long it is.
     */
    recordedTime?: RecordedTime;
    /**
     * The latest 20 versions, by number.
     */
    recordingEditVersions: {
        [key: string]: RecordingVersion;
    };
    recordingType: RecordingType;
    /**
     * Always `recorder`.
     */
    type: string;
};

/**
 * A file of a recording, as events tell of it.
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
     * Where the file is.
     */
    url: string;
};

/**
 * Milliseconds, also parts of them; kept as the caller wrote them.
 */
export type RecordingDuration = number;

/**
 * A recording was added.
 */
export type RecordingEvent = {
    /**
     * The type without what it happened to: `add`.
     */
    actionType?: string;
    /**
     * Who did it; null when the caller did not say.
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
     * Who made it.
     */
    from?: Person;
    /**
     * Names and metadata of the document and the organization, at the time of the event.
     */
    metadata?: JsonObject;
    organizationId: OrganizationId;
    /**
     * Always `sdk`.
     */
    platform?: string;
    /**
     * The same as `annotationId`.
     */
    recorderId?: AnnotationId;
    /**
     * `comment`, `crdt` or `recorder`.
     */
    source?: string;
    /**
     * True when the rest was left out because of its size.
     */
    truncated?: boolean;
};

/**
 * The frame of every body. One of more than 256 KiB has only ids in `data`, and `truncated`.
 */
export type RecordingEventWebhook = {
    /**
     * Absent once a user was erased whom it named.
     */
    data?: RecordingEvent;
    /**
     * True when a user was erased whom `data` named.
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
     * When it happened.
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
 * How it is displayed.
 *
 * - `floating`: In a player that floats above the document.
 * - `thread`: In a thread of comments.
 */
export type RecordingMode = 'floating' | 'thread';

export type RecordingPlace = {
    apiKey: ApiKeyId;
    documentId: DocumentId;
    organizationId: OrganizationId;
};

/**
 * How one item of a batch went: `success` and `message`.
 */
export type RecordingResult = {
    annotationId: AnnotationId;
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
    success: boolean;
};

/**
 * What is recorded.
 *
 * - `audio`: Sound.
 * - `video`: A camera.
 * - `screen`: A screen.
 */
export type RecordingType = 'audio' | 'video' | 'screen';

/**
 * What changes with each version.
 */
export type RecordingVersion = {
    /**
     * Its files.
     */
    attachments: Array<RecordingAttachment>;
    /**
     * What it is called.
     */
    displayName: string;
    /**
     * How long it is.
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

export type RecordingsDeleteResult = Success & {
    data: {
        [key: string]: ItemOutcome;
    };
};

export type RecordingsGetRequest = {
    /**
     * Those of this document only.
     */
    documentId?: DocumentId | null;
    organizationId: OrganizationId;
    /**
     * 100 when absent.
     */
    pageSize?: number | null;
    pageToken?: string | null;
    /**
     * These only; no filter when absent or empty.
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

export type ResealProgress = {
    /**
     * Null at the end.
     */
    next: string | null;
    /**
     * Secrets that were sealed anew.
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
 * An organization, folder or document, where the kind is said beside it.
 */
export type ResourceId = string;

/**
 * An organization or something in it, and what a user may do there.
 */
export type ResourcePermission = {
    /**
     * What is allowed; `editor` when absent.
     */
    accessRole?: AccessRole | null;
    /**
     * When it ends, in epoch seconds; never when absent.
     */
    expiresAt?: number | null;
    /**
     * Its id.
     */
    id: ResourceId;
    /**
     * Where it lies; required for folders and documents.
     */
    organizationId?: OrganizationId | null;
    /**
     * What it is.
     */
    type: ResourceType;
};

export type ResourceType = 'organization' | 'folder' | 'document';

export type ScheduleTestClockAdvanceRequest = {
    /**
     * By how many seconds; a year at most.
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

export type SortOrder = 'asc' | 'desc';

/**
 * Who wrote a thread or a comment.
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
     * E-mail address, for notifications.
     */
    email?: string | null;
    /**
     * Letter of the avatar; the first of `name` unless sent.
     */
    initial?: string | null;
    /**
     * Whether the user administers.
     */
    isAdmin?: boolean | null;
    /**
     * Whether the user is not known by name.
     */
    isAnonymous?: boolean | null;
    /**
     * Whether the user is a guest.
     */
    isGuest?: boolean | null;
    /**
     * Whether the user may only read.
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
     * Plan of the caller's product.
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
     * Role and end do not matter.
     */
    resources: Array<StrictResourcePermission>;
};

export type StrictResourcePermission = {
    /**
     * What is allowed; `editor` when absent.
     */
    accessRole?: AccessRole | null;
    /**
     * When it ends, in epoch seconds; never when absent.
     */
    expiresAt?: number | null;
    /**
     * Its id.
     */
    id: ResourceId;
    /**
     * Where it lies; required for folders and documents.
     */
    organizationId?: OrganizationId | null;
    /**
     * What it is.
     */
    type: ResourceType;
};

/**
 * How a user came to be subscribed.
 *
 * - `auto`: As the author, or by a mention.
 * - `manual`: By their own wish.
 */
export type SubscriptionType = 'auto' | 'manual';

/**
 * What every result has.
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
     * Its outcome.
     */
    status: SuggestionStatus;
    [key: string]: unknown;
};

/**
 * The outcome of a suggestion.
 *
 * - `pending`: Nobody decided yet.
 * - `accepted`: It was taken over.
 * - `rejected`: It was turned down.
 */
export type SuggestionStatus = 'pending' | 'accepted' | 'rejected';

export type TestClock = {
    /**
     * The time of the key from now on, in epoch milliseconds.
     */
    now: number;
};

export type TokenPermissions = {
    /**
     * What the user may reach with the token.
     */
    resources: Array<ResourcePermission>;
};

export type TokenUserProperties = {
    /**
     * Required by v2.
     */
    email?: string | null;
    isAdmin?: boolean | null;
    /**
     * Required by v2.
     */
    name?: string | null;
    /**
     * Required by v1, ignored by v2.
     */
    organizationId?: OrganizationId | null;
};

/**
 * The outcome of an event for one user on one channel.
 */
export type TraceRow = {
    /**
     * `inbox`, `email` or `chat`.
     */
    channel: string;
    /**
     * Until when it waits at the latest, in epoch milliseconds.
     */
    dueAt?: number;
    /**
     * The event; the id of the notification for a custom one.
     */
    eventId: string;
    /**
     * As which notification it was delivered.
     */
    notificationId?: NotificationId;
    /**
     * Why it was dropped: `seen`, `muted`, `no_access`, `deleted`, `service_off`, `trigger_off`, `suppressed` or `bounced`.
     */
    reason?: string;
    /**
     * How far it has come.
     */
    state: TraceState;
    /**
     * The user; absent where it was decided for all of them.
     */
    userId?: UserId;
};

/**
 * How far a notification has come.
 *
 * - `pending`: It waits.
 * - `delivered`: It was delivered.
 * - `dropped`: It was not, and will not be.
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
 * Switches by event, in whatever spelling they were sent: in groups (`comment.added` as `{"comment": {"added": true}}`) or flat (`comment.add`, `comment.added` or `added`). Keys that mean nothing are kept.
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
 * A user of an organization, a document or a folder (spec 2.10).
 */
export type User = {
    accessRole: AccessRole;
    /**
     * Color of cursor and avatar.
     */
    color?: string;
    documentId?: DocumentId;
    /**
     * E-mail address, for notifications.
     */
    email?: string;
    folderId?: FolderId;
    /**
     * Letter of the avatar; the first of `name` unless sent.
     */
    initial?: string;
    /**
     * Whether the user administers.
     */
    isAdmin?: boolean;
    /**
     * Whether the user is not known by name.
     */
    isAnonymous?: boolean;
    /**
     * Whether the user is a guest.
     */
    isGuest?: boolean;
    /**
     * Whether the user may only read.
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
     * Plan of the caller's product.
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
     * Threads that the user wrote in or is involved in.
     */
    comments: Array<CommentAnnotation>;
    /**
     * Notifications addressed to the user by name.
     */
    notifications: Array<Notification>;
    /**
     * Reactions that the user chose.
     */
    reactions: Array<Reaction>;
    /**
     * What the user recorded.
     */
    recordings: Array<Recording>;
};

export type UserDataDeleteRequest = {
    /**
     * Where; in all organizations when absent.
     */
    organizationIds?: Array<OrganizationId> | null;
    userIds: Array<UserId>;
};

export type UserDataDeleteResult = Success & {
    data: ErasureJob;
    /**
     * Always 202: it is accepted, not done.
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
     * As groups are added.
     */
    groupId: GroupId;
    groupName?: string;
    /**
     * The same, as groups are named elsewhere.
     */
    organizationUserGroupId: GroupId;
    userIds: Array<UserId>;
};

/**
 * How one item of a batch went: `success` and `message`.
 */
export type UserGroupMemberResult = {
    /**
     * What happened to it; text for people.
     */
    message: string;
    organizationUserGroupId: GroupId;
    /**
     * Whether the item was processed.
     */
    success: boolean;
};

/**
 * How one item of a batch went: `success` and `message`.
 */
export type UserGroupResult = {
    id: GroupId;
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
    success: boolean;
};

export type UserGroupsAddRequest = {
    /**
     * Whether to create the organization when there is none.
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

export type UserGroupsDeleteResult = Success & {
    data: {
        [key: string]: ItemOutcome;
    };
};

export type UserGroupsGetRequest = {
    organizationId: OrganizationId;
    /**
     * These groups only; an empty list is no filter.
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

export type UserGroupsUsersAddResult = Success & {
    data: {
        [key: string]: UserGroupMemberResult;
    };
};

export type UserGroupsUsersDeleteRequest = {
    /**
     * Removes all users of the group, whatever `userIds` says; of a very large group as many as the reply has room for, and the rest with the next call.
     */
    deleteAll?: boolean | null;
    organizationId: OrganizationId;
    organizationUserGroupId: GroupId;
    /**
     * Removes these; needed unless `deleteAll` is true.
     */
    userIds?: Array<UserId> | null;
};

export type UserGroupsUsersDeleteResult = Success & {
    data: {
        [key: string]: UserGroupMemberResult;
    };
};

/**
 * A user, within an organization.
 */
export type UserId = string;

/**
 * What one user may do.
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
 * A user who takes the place of another.
 */
export type UserReplacement = {
    /**
     * Who is to be named instead.
     */
    newUser: Person;
    /**
     * Who was named so far.
     */
    oldUser: Person;
};

/**
 * How one item of a batch went: `success` and `message`.
 */
export type UserResult = {
    id: UserId;
    /**
     * What happened to it; text for people.
     */
    message: string;
    /**
     * Whether the item was processed.
     */
    success: boolean;
};

/**
 * The token.
 */
export type UserToken = {
    token: string;
};

export type UsersAddRequest = {
    /**
     * Whether to create the document when there is none.
     */
    createDocument?: boolean | null;
    /**
     * Whether to create the folder when there is none.
     */
    createFolder?: boolean | null;
    /**
     * Adds them to this document, not to the organization.
     */
    documentId?: DocumentId | null;
    /**
     * Adds them to this folder, not to the organization.
     */
    folderId?: FolderId | null;
    organizationId: OrganizationId;
    users: Array<NewUser>;
};

export type UsersAddResult = Success & {
    data: {
        [key: string]: UserResult;
    };
};

export type UsersDeleteRequest = {
    /**
     * Removes them from this document only.
     */
    documentId?: DocumentId | null;
    /**
     * Removes them from this folder only.
     */
    folderId?: FolderId | null;
    organizationId: OrganizationId;
    userIds: Array<UserId>;
};

export type UsersDeleteResult = Success & {
    data: {
        [key: string]: ItemOutcome;
    };
};

export type UsersFound = Array<User> | UsersFoundMap;

export type UsersFoundMap = {
    [key: string]: Array<User>;
};

export type UsersGenerateTokenRequest = {
    /**
     * Instead of its header, in v1.
     */
    apiKey?: Secret | null;
    /**
     * Instead of its header, in v1.
     */
    authToken?: Secret | null;
    /**
     * Required by v2.
     */
    permissions?: TokenPermissions | null;
    userId: UserId;
    userProperties: TokenUserProperties;
};

export type UsersGenerateTokenResult = Success & {
    data: UserToken;
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
     * Users of the organization who are in one of these groups.
     */
    organizationUserGroupIds?: Array<GroupId> | null;
    pageSize?: number | null;
    pageToken?: string | null;
    /**
     * These users only.
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

export type UsersUpdateResult = Success & {
    data: {
        [key: string]: UserResult;
    };
};

/**
 * A member before and after; `null` where there was or is none.
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
 * A member before and after; `null` where there was or is none.
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
     * Who sees it.
     */
    type: VisibilityType;
    /**
     * Users who see it, the author among them.
     */
    userIds?: Array<UserId>;
};

/**
 * Who sees it.
 *
 * - `public`: Everybody who may reach the document.
 * - `organizationPrivate`: Members of the organizations named.
 * - `restricted`: The users named.
 */
export type VisibilityType = 'public' | 'organizationPrivate' | 'restricted';

/**
 * Basic webhook configuration (siblings 4.1).
 */
export type WebhookConfig = {
    /**
     * Service switch.
     */
    useWebhookService: boolean;
    /**
     * Where to send what.
     */
    webhookServiceConfig: WebhookService;
};

/**
 * An endpoint (spec 2.4): what is unset is null.
 */
export type WebhookEndpoint = {
    /**
     * Subscribed channels; null: all.
     */
    channels: Array<Channel> | null;
    createdAt: string;
    description: string | null;
    /**
     * Whether it receives no deliveries.
     */
    disabled: boolean;
    /**
     * Subscribed event types; null: all.
     */
    filterTypes: Array<EventType> | null;
    id: EndpointId;
    /**
     * Deliveries per second; null: as fast as they come.
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
 * The caller's own members of an endpoint: texts by name, at most 4096 bytes of JSON.
 */
export type WebhookEndpointMetadata = {
    [key: string]: string;
};

export type WebhookEndpoints = {
    /**
     * Whether there are no older endpoints.
     */
    done: boolean;
    endpoints: Array<WebhookEndpoint>;
    /**
     * Leads to older endpoints; null when done.
     */
    iterator: string | null;
    /**
     * Leads back to newer endpoints, sent as `iterator`; null on the first page.
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
     * Kept with the endpoint and not shown.
     */
    metadata?: WebhookEndpointMetadata | null;
    /**
     * Deliveries per second.
     */
    rateLimit?: number | null;
    /**
     * Your own name of the endpoint, unique within the API key; it cannot be changed.
     */
    uid?: EndpointUid | null;
    /**
     * What receives deliveries.
     */
    url: EndpointUrl;
};

export type WebhookEndpointsCreateResult = Success & {
    data: WebhookEndpoint;
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
     * At most this many; 50 when absent.
     */
    limit?: number | null;
};

export type WebhookEndpointsGetResult = Success & {
    data: WebhookEndpoints;
};

export type WebhookEndpointsSecretGetRequest = {
    endpointId: EndpointId;
};

export type WebhookEndpointsSecretGetResult = Success & {
    data: WebhookSecret;
};

export type WebhookEndpointsSecretRotateRequest = {
    endpointId: EndpointId;
    /**
     * How long the old secret stays valid; a day when absent.
     */
    gracePeriodSeconds?: number | null;
};

export type WebhookEndpointsSecretRotateResult = Success & {
    data: WebhookSecret;
};

export type WebhookEndpointsUpdateRequest = {
    /**
     * Channels to subscribe to, each once; null: all.
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
     * Event types to subscribe to, each once; null: all.
     */
    filterTypes?: Array<EventType> | null;
    /**
     * Kept with the endpoint and not shown.
     */
    metadata?: WebhookEndpointMetadata | null;
    /**
     * Deliveries per second; null: as fast as they come.
     */
    rateLimit?: number | null;
    /**
     * What receives deliveries.
     */
    url?: EndpointUrl | null;
};

export type WebhookEndpointsUpdateResult = Success & {
    data: WebhookEndpoint;
};

/**
 * A message.
 */
export type WebhookMessage = {
    /**
     * Where it happened, as an endpoint names it in `channels`.
     */
    channels: Array<Channel>;
    id: MessageId;
    /**
     * The body that is sent. When a user was erased whom it named, `expunged` is true in it, and only what tells messages apart is left.
     */
    payload: unknown;
    /**
     * When it happened.
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
     * Leads to older messages; null when done.
     */
    iterator: string | null;
    messages: Array<WebhookMessage>;
    /**
     * Leads back to newer messages, sent as `iterator`; null on the first page.
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

/**
 * The `webhookServiceConfig` of siblings 4.1; what is absent was never set.
 */
export type WebhookService = {
    /**
     * Sent with each webhook request for verification; an empty text unsets it.
     */
    authToken?: Secret | null;
    /**
     * Kept as it was sent.
     */
    enableDataProtection?: boolean | null;
    /**
     * Whether bodies are sent in base64.
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
     * What they are encrypted with: an RSA key in base64, without PEM lines; an empty text unsets it.
     */
    publicKey?: string | null;
    /**
     * Receives unprocessed notifications; an empty text unsets it.
     */
    rawNotificationUrl?: string | null;
    /**
     * Which events are sent.
     */
    triggers?: Triggers | null;
};

/**
 * Where something is.
 */
export type Whereabouts = {
    /**
     * The tenant.
     */
    apiKey: ApiKeyId;
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
 * A workspace (siblings 3.1).
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
     * Of documents that have none of their own.
     */
    defaultDocumentAccessType?: AccessType | null;
    enablePrivateComments?: boolean | null;
    features?: ApiKeyFeaturesPatch | null;
    /**
     * Whether users join the organization with their first access.
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
     * `<local part of the e-mail address> Test API Key` or such when absent.
     */
    apiKeyName?: string | null;
    /**
     * Whether to create an auth token with it; false when absent.
     */
    createAuthToken?: boolean | null;
    emailServiceConfig?: EmailService | null;
    enablePrivateComments?: boolean | null;
    ownerEmail: string;
    /**
     * Where its data lies; of production keys only.
     */
    persistenceDBRegion?: string | null;
    /**
     * Where its realtime data lies.
     */
    realtimeDBRegion?: string | null;
    requireAutoOrgUser?: boolean | null;
    /**
     * Whether switching emails on switches the default triggers on.
     */
    setDefaultEmailTriggers?: boolean | null;
    /**
     * Whether switching notifications on switches the default triggers on.
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

export type WorkspaceApiKeyDeleteResult = Success & {
    data: null;
};

export type WorkspaceApiKeyLimitsUpdateRequest = {
    apiKey: ApiKeyId;
    /**
     * Mails in a day of UTC that the deployment sends.
     */
    mailsPerDay?: number | null;
    /**
     * Calls per second on average that only read; ten times as many at once.
     */
    readsPerSecond?: number | null;
    /**
     * Calls per second on average that may write; ten times as many at once.
     */
    writesPerSecond?: number | null;
};

export type WorkspaceApiKeyLimitsUpdateResult = Success & {
    data: ApiKeyLimits;
};

export type WorkspaceApiKeyUpdateRequest = {
    apiKey: ApiKeyId;
    apiKeyName?: string | null;
    /**
     * Whether calls with it are refused.
     */
    disabled?: boolean | null;
};

export type WorkspaceApiKeyUpdateResult = Success & {
    data: null;
};

export type WorkspaceApiKeysGetRequest = {
    /**
     * These only; all when absent or empty.
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
     * How long the tokens before work beside the new one; 0 when absent, 604800 at most.
     */
    gracePeriodSeconds?: number | null;
};

export type WorkspaceAuthTokenResetResult = Success & {
    data: AuthTokenReset;
};

export type WorkspaceAuthTokenRotateRequest = {
    /**
     * How long the token before works beside the new one. Required, so that no empty call ends it.
     */
    gracePeriodSeconds: number;
};

export type WorkspaceAuthTokenRotateResult = Success & {
    data: WorkspaceTokenRotated;
};

export type WorkspaceAuthTokensGetRequest = {
    apiKey: ApiKeyId;
};

export type WorkspaceAuthTokensGetResult = Success & {
    data: AuthTokens;
};

export type WorkspaceCreateRequest = {
    /**
     * Picture of the owner.
     */
    avatar?: string | null;
    /**
     * How many production keys it may have; 10 when absent.
     */
    maxProductionKeys?: number | null;
    /**
     * How many testing keys it may have; 100 when absent.
     */
    maxTestingKeys?: number | null;
    /**
     * Of the owner; the e-mail address when absent.
     */
    name?: string | null;
    ownerEmail: string;
    /**
     * `paid` when absent; production keys need it.
     */
    plan?: WorkspacePlan | null;
    /**
     * Whether it may create production keys itself; true when absent.
     */
    selfServeProductionKeys?: boolean | null;
    /**
     * `<name> workspace` when absent.
     */
    workspaceName?: string | null;
};

export type WorkspaceCreateResult = Success & {
    data: WorkspaceCreated;
};

/**
 * A workspace that was created just now.
 */
export type WorkspaceCreated = {
    /**
     * By id.
     */
    apiKeyList: {
        [key: string]: ApiKey;
    };
    /**
     * Shown once: only its hash is kept.
     */
    authToken: string;
    id: WorkspaceId;
    name: string;
    owner: WorkspaceOwner;
};

export type WorkspaceDomainsAddRequest = {
    /**
     * Hosts, URLs, or `*.` and a suffix; scheme, `www.`, port and path do not count.
     */
    domains: Array<Domain>;
};

export type WorkspaceDomainsAddResult = Success & {
    data: DomainsAdded;
};

export type WorkspaceDomainsDeleteRequest = {
    /**
     * Hosts, URLs, or `*.` and a suffix; scheme, `www.`, port and path do not count.
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
 * A workspace: who runs and pays.
 */
export type WorkspaceId = string;

/**
 * The owner of a workspace, as callers see them.
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
 * What a workspace has bought; production keys need `paid` (spec 4.1).
 *
 * - `free`: Testing keys only.
 * - `paid`: Production keys, too.
 */
export type WorkspacePlan = 'free' | 'paid';

export type WorkspaceSecretsResealRequest = {
    /**
     * Where to go on; at the beginning when absent.
     */
    start?: string | null;
};

export type WorkspaceSecretsResealResult = Success & {
    data: ResealProgress;
};

export type WorkspaceSettings = {
    id: WorkspaceId;
    maxProductionKeys: number;
    maxTestingKeys: number;
    maxWebhookEndpoints: number;
    name: string;
    plan: WorkspacePlan;
    /**
     * How many it has.
     */
    productionKeys: number;
    selfServeProductionKeys: boolean;
    /**
     * How many it has.
     */
    testingKeys: number;
};

export type WorkspaceTokenRotated = {
    /**
     * Shown once.
     */
    authToken: string;
    id: WorkspaceId;
};

export type WorkspaceUpdateRequest = {
    id: WorkspaceId;
    /**
     * How many production keys it may have.
     */
    maxProductionKeys?: number | null;
    /**
     * How many testing keys it may have.
     */
    maxTestingKeys?: number | null;
    /**
     * How many webhook endpoints each of its keys may have.
     */
    maxWebhookEndpoints?: number | null;
    /**
     * Of the workspace.
     */
    name?: string | null;
    /**
     * Production keys need `paid`.
     */
    plan?: WorkspacePlan | null;
    /**
     * Whether it may create production keys itself.
     */
    selfServeProductionKeys?: boolean | null;
};

export type WorkspaceUpdateResult = Success & {
    data: WorkspaceSettings;
};

/** The body of a webhook. */
export type WebhookEvent = CommentEventWebhook | EditorEventWebhook | EndpointEventWebhook | MessageEventWebhook | RecordingEventWebhook;
