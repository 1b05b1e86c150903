"""Written by clients/generate from openapi.json."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

AccessRole: TypeAlias = Literal['viewer', 'editor']
"""
What a user may do with a resource (spec 2.10).

- `viewer`: Read only.
- `editor`: Read and write.
"""


AccessType: TypeAlias = Literal['public', 'organizationPrivate', 'restricted']
"""
Who may reach a resource.

- `public`: Every user of the tenant.
- `organizationPrivate`: Members of the organization.
- `restricted`: Users with an explicit grant.
"""


ActionType: TypeAlias = str


ActivityFeature: TypeAlias = Literal['comment', 'reaction', 'recorder', 'crdt', 'custom']
"""
What an activity is part of.

- `custom`: Something of the caller's own.
"""


ActivityId: TypeAlias = str


class AdvancedWebhookConfig(TypedDict):
    """
    Advanced webhook configuration (siblings 4.2). There is none until the first enabling.
    """

    enableDataProtection: bool
    """Kept as it was sent."""

    encodeData: bool
    """Whether bodies are sent in base64."""

    encryptData: bool
    """Whether bodies are encrypted."""

    isEnabled: bool
    """Whether endpoints can be managed and receive deliveries."""

    publicKey: str
    """What they are encrypted with: an RSA key in base64, without PEM lines; empty when unset."""


AgentAddress: TypeAlias = str


AgentAnnotationStrategy: TypeAlias = Literal['findings', 'word-level', 'page-level', 'none']


class AgentAnnotations(TypedDict):
    """
    Which annotations are made of findings.
    """

    enabled: NotRequired[bool]
    """On when absent."""

    strategy: NotRequired[AgentAnnotationStrategy | None]


AgentAuthType: TypeAlias = Literal['none', 'bearer', 'basic', 'header']


Selector: TypeAlias = str


AgentExecutionStrategy: TypeAlias = Literal['ai', 'service', 'service+ai', 'stagehand-agent', 'mcp-tools']


AgentFieldType: TypeAlias = Literal['string', 'number', 'boolean']


AgentFilter: TypeAlias = Literal['defaultOnly', 'customOnly']


AgentId: TypeAlias = str


class AgentInputRequirements(TypedDict):
    """
    Inputs that have to be there.
    """

    requires: NotRequired[list[Any] | None]
    """All of these."""

    requiresOneOf: NotRequired[list[Any] | None]
    """One of these."""


class AgentKnowledge(TypedDict):
    """
    What an agent learns of earlier work.
    """

    maxActivities: NotRequired[int | None]
    maxChunks: NotRequired[int | None]
    maxPatterns: NotRequired[int | None]
    useMemory: NotRequired[bool | None]


AgentManager: TypeAlias = Literal['service', 'customer']


AgentPageDiscovery: TypeAlias = Literal['auto', 'manual']


AgentProvider: TypeAlias = Literal['gemini', 'claude', 'openai']


class AgentReference(TypedDict):
    """
    The agent that a call was about.
    """

    agentId: AgentId


AgentServiceId: TypeAlias = Literal['broken-links', 'crawler', 'screenshot', 'accessibility-checker', 'og-image-checker']


AgentSource: TypeAlias = Literal['service', 'external']
"""
Whose an agent is.

- `service`: One of the service: built in, or the workspace's own.
- `external`: One that the service does not know.
"""


AgentStage: TypeAlias = Any


AgentStrategy: TypeAlias = Literal['web-page-text', 'web-page-screenshot', 'web-page-html', 'web-page-css', 'web-page-links', 'web-page-accessibility', 'computed-styles', 'robots-txt', 'sitemap-data', 'lighthouse', 'rest-api', 'none']


class AgentVersion(TypedDict):
    createdAt: int
    """Epoch milliseconds."""

    id: str
    """`v` and the number."""

    version: int


class AgentVersions(TypedDict):
    versions: list[AgentVersion]


class AgentsDeleteRequest(TypedDict):
    agentId: AgentId


class AgentsUpdateRequest(TypedDict):
    agentId: AgentId
    description: NotRequired[str | None]
    """At most 4000 characters; of no effect on a built-in agent."""

    enabled: NotRequired[bool | None]
    """Whether it is active."""

    name: NotRequired[str | None]
    """1 to 1000 characters, not blank; of no effect on a built-in agent."""


class AgentsVersionsListRequest(TypedDict):
    agentId: AgentId


class AgentsVersionsRestoreRequest(TypedDict):
    agentId: AgentId


AiProvider: TypeAlias = Literal['openai', 'anthropic', 'gemini']


class AiProviderKey(TypedDict):
    customerApiKey: str
    provider: AiProvider


class AllowedDomains(TypedDict):
    allowedDomains: list[str]
    """Empty when every page may use the key."""


AnnotationId: TypeAlias = str


class AnnotationPriority(TypedDict):
    """
    The priority of a thread. Of `P0`, `P1` and `P2` the `id` is enough.
    """

    color: str
    """Color of its icon."""

    id: str
    """What tells it from others."""

    lightColor: str
    """Background of its icon."""

    name: str
    """Display name."""


class AnnotationPriorityInput(TypedDict):
    """
    The priority of a thread. Of `P0`, `P1` and `P2` the `id` is enough.
    """

    color: NotRequired[str | None]
    id: str
    lightColor: NotRequired[str | None]
    name: NotRequired[str | None]


AnnotationStatusType: TypeAlias = Literal['default', 'ongoing', 'terminal']
"""
What a status means.

- `default`: A thread starts with it.
- `ongoing`: It is being worked on.
- `terminal`: It is resolved.
"""


AnnotationType: TypeAlias = Literal['comment', 'suggestion']
"""
What a thread is.

- `comment`: A thread of comments.
- `suggestion`: A thread about a change that somebody suggests.
"""


class ApiKeyFeatures(TypedDict):
    """
    Features of an API key, on unless switched off (decisions 3).
    """

    advancedQueries: bool
    """Folders can be listed (spec 4.10)."""

    userNotificationConfig: bool
    """Users can have notification preferences (spec 4.25)."""


class ApiKeyFeaturesPatch(TypedDict):
    advancedQueries: NotRequired[bool | None]
    """Whether folders can be listed."""

    userNotificationConfig: NotRequired[bool | None]
    """Whether users can have notification preferences."""


ApiKeyId: TypeAlias = str


class ApiKeyLimits(TypedDict):
    apiKey: ApiKeyId
    mailsPerDay: int | None
    readsPerSecond: int | None
    """Null: as the deployment has it, here and below."""

    writesPerSecond: int | None


ApiKeyType: TypeAlias = Literal['testing', 'production']
"""
What a key is for (spec 2.1).

- `testing`: For trying things out.
- `production`: For customers; limited in number.
"""


Channel: TypeAlias = str


CommentAgentType: TypeAlias = Literal['built-in', 'custom', 'external']
"""
What kind of agent it is.

- `built-in`: One that every workspace has.
- `custom`: The workspace's own.
- `external`: One that the service does not know.
"""


class CommentAnnotationAdded(TypedDict):
    """
    How one thread went. A denied one without an id of the caller's is called `__service_denied:` and its position.
    """

    annotationId: AnnotationId
    commentIds: list[int]
    findingId: NotRequired[str]
    """What the agent calls what it found."""

    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


class CommentAnnotationCount(TypedDict):
    total: int
    unread: int


class CommentAnnotationResult(TypedDict):
    """
    How one item of a batch went: `success` and `message`.
    """

    id: AnnotationId
    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


CommentEventWebhookType: TypeAlias = Literal['comment_annotation.add', 'comment_annotation.assign', 'comment_annotation.status_change', 'comment_annotation.priority_change', 'comment_annotation.subscribe', 'comment_annotation.unsubscribe', 'comment_annotation.suggestion_accept', 'comment_annotation.suggestion_reject', 'comment.add', 'comment.update', 'comment.delete', 'comment.reaction_add', 'comment.reaction_delete']


CommentKind: TypeAlias = Literal['text']


class CommentResult(TypedDict):
    """
    How one item of a batch went: `success` and `message`.
    """

    id: int
    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


CommentStatus: TypeAlias = Literal['added', 'updated']


CommentType: TypeAlias = Literal['manual', 'chart', 'suggestion']
"""
How a thread came about.

- `manual`: By hand.
- `chart`: On a chart.
- `suggestion`: As older clients mark suggestions.
"""


StatusId: TypeAlias = str


LocationId: TypeAlias = str


CommentId: TypeAlias = int


class ConfigurationAdvancedWebhooksUpdateRequest(TypedDict):
    enableDataProtection: NotRequired[bool | None]
    """Kept as it is sent."""

    encodeData: NotRequired[bool | None]
    """Whether bodies are sent in base64."""

    encryptData: NotRequired[bool | None]
    """Whether bodies are encrypted."""

    isEnabled: NotRequired[bool | None]
    """Whether endpoints can be managed and receive deliveries."""

    publicKey: NotRequired[str | None]
    """What they are encrypted with: an RSA key in base64, without PEM lines; an empty text unsets it."""


class Context(TypedDict):
    access: NotRequired[dict[str, str | float]]


class CurrentAgentVersion(TypedDict):
    """
    The number of the version that is current now.
    """

    version: int


class DelayConfig(TypedDict):
    """
    Waiting before a notification, in case its reader sees its cause meanwhile.
    """

    delaySeconds: int | None
    isEnabled: bool | None


class DelayConfigInput(TypedDict):
    """
    Waiting before a notification, in case its reader sees its cause meanwhile.
    """

    delaySeconds: NotRequired[int | None]
    isEnabled: NotRequired[bool | None]


DisableReason: TypeAlias = Literal['gone', 'receiver_request', 'consecutive_failure', 'manual']
"""
Why an endpoint is disabled.

- `gone`: It answered 410.
- `receiver_request`: It asked for it.
- `consecutive_failure`: Everything failed for days.
- `manual`: Its owner did it.
"""


DocumentId: TypeAlias = str


class DocumentPatch(TypedDict):
    documentId: DocumentId
    documentName: NotRequired[str | None]


Domain: TypeAlias = str


class DomainsAdded(TypedDict):
    domainsAdded: list[Domain]
    skippedDomains: list[Domain]


class DomainsRemoved(TypedDict):
    domainsRemoved: list[Domain]
    skippedDomains: list[Domain]


class Done(TypedDict):
    success: bool


EditorEventWebhookType: TypeAlias = Literal['crdt.update_data']


EditorId: TypeAlias = str


class EditorResult(TypedDict):
    """
    How one item of a batch went: `success` and `message`.
    """

    id: EditorId
    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


class EditorState(TypedDict):
    stateHash: str | None
    """SHA-256 of the state vector and of what is deleted, each as text in order, by which a peer can tell that it has the same. Null while updates wait for others that are missing."""

    stateVector: str
    """What the peer has with it."""

    update: str
    """What the peer lacks."""


EditorType: TypeAlias = Literal['text', 'map', 'array', 'xml']
"""
What an editor holds (spec 2.16).

- `text`: A string.
- `map`: An object.
- `array`: An array.
- `xml`: A string of elements.
"""


EmailType: TypeAlias = Literal['default', 'thirdparty', 'custom']
"""
How mails are sent (spec 2.6).

- `default`: By the deployment itself.
- `thirdparty`: By the provider whose key is configured.
- `custom`: Written by the seeding of 4.8.
"""


EndpointEventWebhookType: TypeAlias = Literal['endpoint.created', 'endpoint.updated', 'endpoint.deleted', 'endpoint.disabled', 'endpoint.failing']


EndpointId: TypeAlias = str


EndpointUid: TypeAlias = str


EndpointUrl: TypeAlias = str


EntityId: TypeAlias = str


class ErasureStatus(TypedDict):
    isDeleteCompleted: bool
    """Whether all of them are erased. What still names them goes by itself: events that people were notified of within 90 days, backups within 35; live state and the content of editors are as callers wrote them."""

    lastTaskCompletedTime: int | None
    """When the last one was, in epoch milliseconds; null before the first one."""

    tasksLeft: int
    """Users who are not erased yet."""


class ErrorIssue(TypedDict):
    """
    What is wrong with one member of the body.
    """

    code: str
    """Such as `required`, `invalid_type`, `invalid_value`, `unknown_member`."""

    message: str
    path: list[str | int]
    """From the body down: names of members, and places in arrays."""


ErrorStatus: TypeAlias = Literal['INVALID_ARGUMENT', 'FAILED_PRECONDITION', 'PERMISSION_DENIED', 'NOT_FOUND', 'ALREADY_EXISTS', 'ABORTED', 'RESOURCE_EXHAUSTED', 'INTERNAL', 'UNAVAILABLE']


EventType: TypeAlias = str


FindingSeverity: TypeAlias = Literal['critical', 'high', 'medium', 'low', 'info']


FindingType: TypeAlias = Literal['text', 'pin', 'page']


FolderId: TypeAlias = str


class FolderPatch(TypedDict):
    folderId: FolderId
    folderName: NotRequired[str | None]
    parentFolderId: NotRequired[FolderId | None]
    """The folder to move it into; `root` for the top."""


GroupId: TypeAlias = str


Instant: TypeAlias = int | str


ItemErrorCode: TypeAlias = Literal['not-found', 'already-exists', 'invalid-argument', 'resource-exhausted', 'internal']
"""
Why an item failed (spec 4.17).

- `not-found`: What the item names does not exist; not safe to retry.
- `already-exists`: What the item adds is there already.
- `invalid-argument`: The item is not acceptable in the state found.
- `resource-exhausted`: There are as many as there may be.
- `internal`: A failure of the server; safe to retry.
"""


class ItemOutcome(TypedDict):
    """
    How one item of a batch went: `success` and `message`.
    """

    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


JobId: TypeAlias = str


JsonObject: TypeAlias = dict[str, Any]
"""
Any JSON object.
"""


LiveStateDataId: TypeAlias = str


class Location(TypedDict):
    id: str | float


class MaskedAiKey(TypedDict):
    """
    A secret as far as it may be shown.
    """

    displayText: str


McpTransport: TypeAlias = Literal['http']


MessageEventWebhookType: TypeAlias = Literal['message.attempt.failing', 'message.attempt.exhausted', 'message.attempt.recovered']


MessageId: TypeAlias = str


class NewCommentAttachment(TypedDict):
    """
    An attachment as callers send it.
    """

    attachmentId: NotRequired[int | None]
    """Its number; generated when absent."""

    bucketPath: NotRequired[str | None]
    metadata: NotRequired[JsonObject | None]
    mimeType: NotRequired[str | None]
    name: NotRequired[str | None]
    size: NotRequired[int | None]
    """In bytes."""

    thumbnail: NotRequired[str | None]
    type: NotRequired[str | None]
    """Kind of file."""

    url: NotRequired[str | None]


class NewDocument(TypedDict):
    documentId: DocumentId
    documentName: NotRequired[str | None]


class NewFolder(TypedDict):
    accessType: NotRequired[AccessType | None]
    """Who may reach it; inherited from the parent when absent."""

    folderId: FolderId
    folderName: NotRequired[str | None]
    parentFolderId: NotRequired[FolderId | None]
    """The folder it lies in; `root` when absent."""


class NewUserGroup(TypedDict):
    groupId: GroupId
    groupName: NotRequired[str | None]


NotificationId: TypeAlias = str


NotificationLevel: TypeAlias = Literal['ALL', 'MINE', 'NONE']
"""
What of all that happens a user wants to know.

- `ALL`: Everything.
- `MINE`: What directly involves the user.
- `NONE`: Nothing.
"""


class NotificationResult(TypedDict):
    """
    How one item of a batch went: `success` and `message`.
    """

    id: NotificationId
    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


NotificationSource: TypeAlias = Literal['custom', 'comment', 'huddle', 'crdt', 'recorder']
"""
What a notification comes of.

- `custom`: The caller's product.
- `comment`: A thread of comments.
- `huddle`: A huddle.
- `crdt`: The data of an editor.
- `recorder`: A recording.
"""


class NotificationWindow(TypedDict):
    """
    How long, and how many at most, are taken together.
    """

    batchWindowSeconds: int | None
    isEnabled: bool | None
    maxActivities: int | None


class NotificationWindowInput(TypedDict):
    """
    How long, and how many at most, are taken together.
    """

    batchWindowSeconds: NotRequired[int | None]
    isEnabled: NotRequired[bool | None]
    maxActivities: NotRequired[int | None]


class OrganizationDisabledResult(TypedDict):
    code: NotRequired[ItemErrorCode]
    disabled: bool
    """As sent."""

    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


OrganizationId: TypeAlias = str


class OrganizationPatch(TypedDict):
    organizationId: OrganizationId
    organizationName: NotRequired[str | None]


class OrganizationResult(TypedDict):
    code: NotRequired[ItemErrorCode]
    id: OrganizationId
    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


class OrganizationsDeleteRequest(TypedDict):
    organizationIds: list[OrganizationId]


class OrganizationsDisableRequest(TypedDict):
    disabled: bool
    """Whether their end users are locked out."""

    organizationIds: list[OrganizationId]


class OrganizationsGetRequest(TypedDict):
    organizationIds: NotRequired[list[OrganizationId] | None]
    """These only; all when absent or empty."""

    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]


class OrganizationsUpdateRequest(TypedDict):
    organizations: list[OrganizationPatch | JsonObject]


PermissionErrorCode: TypeAlias = Literal['does_not_exist', 'permission_denied']


class ReactionAdded(TypedDict):
    reactionAnnotationId: AnnotationId
    success: bool


class ReactionDeleted(TypedDict):
    reactionAnnotationId: AnnotationId | None
    success: bool


ReactionKind: TypeAlias = Literal['reaction']


ReasonSource: TypeAlias = Literal['instructions', 'knowledge']


RecordingDuration: TypeAlias = float


RecordingEventWebhookType: TypeAlias = Literal['recorder.done']


RecordingFileType: TypeAlias = Literal['mp3', 'mp4', 'webm']


RecordingMode: TypeAlias = Literal['floating', 'thread']
"""
How it is displayed.

- `floating`: In a player that floats above the document.
- `thread`: In a thread of comments.
"""


class RecordingPlace(TypedDict):
    apiKey: ApiKeyId
    documentId: DocumentId
    organizationId: OrganizationId


class RecordingResult(TypedDict):
    """
    How one item of a batch went: `success` and `message`.
    """

    annotationId: AnnotationId
    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


RecordingType: TypeAlias = Literal['audio', 'video', 'screen']
"""
What is recorded.

- `audio`: Sound.
- `video`: A camera.
- `screen`: A screen.
"""


class RecordingsDeleteRequest(TypedDict):
    organizationId: OrganizationId
    recordingIds: list[AnnotationId]


class RecordingsGetRequest(TypedDict):
    documentId: NotRequired[DocumentId | None]
    """Those of this document only."""

    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    """100 when absent."""

    pageToken: NotRequired[str | None]
    recordingIds: NotRequired[list[AnnotationId] | None]
    """These only; no filter when absent or empty."""


class RecoveryStarted(TypedDict):
    endpointId: EndpointId
    since: str


class ResealProgress(TypedDict):
    next: str | None
    """Null at the end."""

    resealed: int
    """Secrets that were sealed anew."""

    unopened: int
    """Secrets that no key of the deployment opens; they read as unset."""


class ResendStarted(TypedDict):
    endpointId: EndpointId
    messageId: MessageId


ResourceId: TypeAlias = str


ResourceType: TypeAlias = Literal['organization', 'folder', 'document']


class ScheduleTestClockAdvanceRequest(TypedDict):
    seconds: int
    """By how many seconds; a year at most."""


Secret: TypeAlias = str


SortOrder: TypeAlias = Literal['asc', 'desc']


SourceType: TypeAlias = Literal['rest-api', 'agent']
"""
Who wrote a thread or a comment.

- `rest-api`: A server of the caller's.
- `agent`: An agent.
"""


class StrictResourcePermission(TypedDict):
    accessRole: NotRequired[AccessRole | None]
    """What is allowed; `editor` when absent."""

    expiresAt: NotRequired[int | None]
    """When it ends, in epoch seconds; never when absent."""

    id: ResourceId
    """Its id."""

    organizationId: NotRequired[OrganizationId | None]
    """Where it lies; required for folders and documents."""

    type: ResourceType
    """What it is."""


SubscriptionType: TypeAlias = Literal['auto', 'manual']
"""
How a user came to be subscribed.

- `auto`: As the author, or by a mention.
- `manual`: By their own wish.
"""


class Success(TypedDict):
    """
    What every result has.
    """

    message: str
    """Text for people."""

    status: Literal['success']


SuggestionStatus: TypeAlias = Literal['pending', 'accepted', 'rejected']
"""
The outcome of a suggestion.

- `pending`: Nobody decided yet.
- `accepted`: It was taken over.
- `rejected`: It was turned down.
"""


class TestClock(TypedDict):
    now: int
    """The time of the key from now on, in epoch milliseconds."""


class TokenUserProperties(TypedDict):
    email: NotRequired[str | None]
    """Required by v2."""

    isAdmin: NotRequired[bool | None]
    name: NotRequired[str | None]
    """Required by v2."""

    organizationId: NotRequired[OrganizationId | None]
    """Required by v1, ignored by v2."""


TraceState: TypeAlias = Literal['pending', 'delivered', 'dropped']
"""
How far a notification has come.

- `pending`: It waits.
- `delivered`: It was delivered.
- `dropped`: It was not, and will not be.
"""


TriggerSwitchMap: TypeAlias = dict[str, bool]


class UserDataDeleteStatusRequest(TypedDict):
    jobId: JobId


class UserDataDeleteStatusResult(Success):
    data: ErasureStatus


class UserGroupMemberResult(TypedDict):
    """
    How one item of a batch went: `success` and `message`.
    """

    message: str
    """What happened to it; text for people."""

    organizationUserGroupId: GroupId
    success: bool
    """Whether the item was processed."""


class UserGroupResult(TypedDict):
    """
    How one item of a batch went: `success` and `message`.
    """

    id: GroupId
    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


class UserGroupsAddRequest(TypedDict):
    createOrganization: NotRequired[bool | None]
    """Whether to create the organization when there is none."""

    organizationId: OrganizationId
    organizationUserGroups: list[NewUserGroup]


class UserGroupsAddResult(Success):
    data: dict[str, UserGroupResult]


class UserGroupsDeleteRequest(TypedDict):
    organizationId: OrganizationId
    organizationUserGroupIds: list[GroupId]


class UserGroupsDeleteResult(Success):
    data: dict[str, ItemOutcome]


class UserGroupsGetRequest(TypedDict):
    organizationId: OrganizationId
    organizationUserGroupIds: NotRequired[list[GroupId] | None]
    """These groups only; an empty list is no filter."""

    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]


class UserGroupsUsersAddResult(Success):
    data: dict[str, UserGroupMemberResult]


class UserGroupsUsersDeleteResult(Success):
    data: dict[str, UserGroupMemberResult]


UserId: TypeAlias = str


class UserResult(TypedDict):
    """
    How one item of a batch went: `success` and `message`.
    """

    id: UserId
    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


class UserToken(TypedDict):
    """
    The token.
    """

    token: str


class UsersAddResult(Success):
    data: dict[str, UserResult]


class UsersDeleteRequest(TypedDict):
    documentId: NotRequired[DocumentId | None]
    """Removes them from this document only."""

    folderId: NotRequired[FolderId | None]
    """Removes them from this folder only."""

    organizationId: OrganizationId
    userIds: list[UserId]


class UsersDeleteResult(Success):
    data: dict[str, ItemOutcome]


class UsersGenerateTokenResult(Success):
    data: UserToken


class UsersGetRequest(TypedDict):
    allDocuments: NotRequired[bool | None]
    """Users of all documents."""

    documentId: NotRequired[DocumentId | None]
    """Users of this document."""

    folderId: NotRequired[FolderId | None]
    """Users of this folder."""

    groupByDocumentId: NotRequired[bool | None]
    """With `allDocuments`: users by document."""

    organizationId: OrganizationId
    organizationUserGroupIds: NotRequired[list[GroupId] | None]
    """Users of the organization who are in one of these groups."""

    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]
    userIds: NotRequired[list[UserId] | None]
    """These users only."""


class UsersUpdateResult(Success):
    data: dict[str, UserResult]


ValueChange = TypedDict(
    'ValueChange',
    {
        'from': Any,
        'to': Any,
    },
)


ValueChangeInput = TypedDict(
    'ValueChangeInput',
    {
        'from': NotRequired[Any],
        'to': NotRequired[Any],
    },
)


VisibilityType: TypeAlias = Literal['public', 'organizationPrivate', 'restricted']
"""
Who sees it.

- `public`: Everybody who may reach the document.
- `organizationPrivate`: Members of the organizations named.
- `restricted`: The users named.
"""


class WebhookEndpoint(TypedDict):
    """
    An endpoint (spec 2.4): what is unset is null.
    """

    channels: list[Channel] | None
    """Subscribed channels; null: all."""

    createdAt: str
    description: str | None
    disabled: bool
    """Whether it receives no deliveries."""

    filterTypes: list[EventType] | None
    """Subscribed event types; null: all."""

    id: EndpointId
    rateLimit: int | None
    """Deliveries per second; null: as fast as they come."""

    uid: EndpointUid | None
    updatedAt: str
    url: EndpointUrl


class WebhookEndpointDeleted(TypedDict):
    deleted: bool
    """Always true."""

    endpointId: EndpointId


WebhookEndpointMetadata: TypeAlias = dict[str, str]
"""
The caller's own members of an endpoint: texts by name, at most 4096 bytes of JSON.
"""


class WebhookEndpoints(TypedDict):
    done: bool
    """Whether there are no older endpoints."""

    endpoints: list[WebhookEndpoint]
    iterator: str | None
    """Leads to older endpoints; null when done."""

    prevIterator: str | None
    """Leads back to newer endpoints, sent as `iterator`; null on the first page."""


class WebhookEndpointsCreateRequest(TypedDict):
    channels: NotRequired[list[Channel] | None]
    """Channels to subscribe to, each once; all when absent."""

    description: NotRequired[str | None]
    disabled: NotRequired[bool | None]
    """Whether it receives no deliveries; false when absent."""

    filterTypes: NotRequired[list[EventType] | None]
    """Event types to subscribe to, each once; all when absent."""

    metadata: NotRequired[WebhookEndpointMetadata | None]
    """Kept with the endpoint and not shown."""

    rateLimit: NotRequired[int | None]
    """Deliveries per second."""

    uid: NotRequired[EndpointUid | None]
    """Your own name of the endpoint, unique within the API key; it cannot be changed."""

    url: EndpointUrl
    """What receives deliveries."""


class WebhookEndpointsCreateResult(Success):
    data: WebhookEndpoint


class WebhookEndpointsDeleteRequest(TypedDict):
    endpointId: EndpointId


class WebhookEndpointsDeleteResult(Success):
    data: WebhookEndpointDeleted


class WebhookEndpointsGetRequest(TypedDict):
    iterator: NotRequired[str | None]
    """The `iterator` or the `prevIterator` of another page; the newest endpoints when absent."""

    limit: NotRequired[int | None]
    """At most this many; 50 when absent."""


class WebhookEndpointsGetResult(Success):
    data: WebhookEndpoints


class WebhookEndpointsSecretGetRequest(TypedDict):
    endpointId: EndpointId


class WebhookEndpointsSecretRotateRequest(TypedDict):
    endpointId: EndpointId
    gracePeriodSeconds: NotRequired[int | None]
    """How long the old secret stays valid; a day when absent."""


class WebhookEndpointsUpdateRequest(TypedDict):
    channels: NotRequired[list[Channel] | None]
    """Channels to subscribe to, each once; null: all."""

    description: NotRequired[str | None]
    """Null unsets it."""

    disabled: NotRequired[bool | None]
    """Whether it receives no deliveries."""

    endpointId: EndpointId
    filterTypes: NotRequired[list[EventType] | None]
    """Event types to subscribe to, each once; null: all."""

    metadata: NotRequired[WebhookEndpointMetadata | None]
    """Kept with the endpoint and not shown."""

    rateLimit: NotRequired[int | None]
    """Deliveries per second; null: as fast as they come."""

    url: NotRequired[EndpointUrl | None]
    """What receives deliveries."""


class WebhookEndpointsUpdateResult(Success):
    data: WebhookEndpoint


class WebhookMessage(TypedDict):
    """
    A message.
    """

    channels: list[Channel]
    """Where it happened, as an endpoint names it in `channels`."""

    id: MessageId
    payload: Any
    """The body that is sent. When a user was erased whom it named, `expunged` is true in it, and only what tells messages apart is left."""

    timestamp: str
    """When it happened."""

    type: str
    """The type of the event."""


class WebhookMessages(TypedDict):
    done: bool
    """Whether there are no older messages."""

    iterator: str | None
    """Leads to older messages; null when done."""

    messages: list[WebhookMessage]
    prevIterator: str | None
    """Leads back to newer messages, sent as `iterator`; null on the first page."""


class WebhookSecret(TypedDict):
    """
    The signing secret of an endpoint.
    """

    endpointId: EndpointId
    secret: Secret
    """`whsec_` and base64."""


class Whereabouts(TypedDict):
    """
    Where something is.
    """

    apiKey: ApiKeyId
    """The tenant."""

    documentId: DocumentId
    """The document."""

    organizationId: OrganizationId
    """The organization."""


class WorkspaceApiKeyConfigUpdateRequest(TypedDict):
    aiModelApiKey: NotRequired[list[AiProviderKey] | None]
    """Sealed at rest."""

    defaultDocumentAccessType: NotRequired[AccessType | None]
    """Of documents that have none of their own."""

    enablePrivateComments: NotRequired[bool | None]
    features: NotRequired[ApiKeyFeaturesPatch | None]
    requireAutoOrgUser: NotRequired[bool | None]
    """Whether users join the organization with their first access."""

    requireJwtToken: NotRequired[bool | None]
    """Whether clients must present end-user tokens."""


class WorkspaceApiKeyDeleteRequest(TypedDict):
    apiKey: ApiKeyId


class WorkspaceApiKeyDeleteResult(Success):
    data: None


class WorkspaceApiKeyLimitsUpdateRequest(TypedDict):
    apiKey: ApiKeyId
    mailsPerDay: NotRequired[int | None]
    """Mails in a day of UTC that the deployment sends."""

    readsPerSecond: NotRequired[int | None]
    """Calls per second on average that only read; ten times as many at once."""

    writesPerSecond: NotRequired[int | None]
    """Calls per second on average that may write; ten times as many at once."""


class WorkspaceApiKeyLimitsUpdateResult(Success):
    data: ApiKeyLimits


class WorkspaceApiKeyUpdateRequest(TypedDict):
    apiKey: ApiKeyId
    apiKeyName: NotRequired[str | None]
    disabled: NotRequired[bool | None]
    """Whether calls with it are refused."""


class WorkspaceApiKeyUpdateResult(Success):
    data: None


class WorkspaceApiKeysGetRequest(TypedDict):
    apiKeys: NotRequired[list[ApiKeyId] | None]
    """These only; all when absent or empty."""

    pageSize: NotRequired[int | None]
    """100 when absent."""

    pageToken: NotRequired[str | None]


class WorkspaceAuthTokenResetRequest(TypedDict):
    apiKey: ApiKeyId
    gracePeriodSeconds: NotRequired[int | None]
    """How long the tokens before work beside the new one; 0 when absent, 604800 at most."""


class WorkspaceAuthTokenRotateRequest(TypedDict):
    gracePeriodSeconds: int
    """How long the token before works beside the new one. Required, so that no empty call ends it."""


class WorkspaceAuthTokensGetRequest(TypedDict):
    apiKey: ApiKeyId


class WorkspaceDomainsAddRequest(TypedDict):
    domains: list[Domain]
    """Hosts, URLs, or `*.` and a suffix; scheme, `www.`, port and path do not count."""


class WorkspaceDomainsAddResult(Success):
    data: DomainsAdded


class WorkspaceDomainsDeleteRequest(TypedDict):
    domains: list[Domain]
    """Hosts, URLs, or `*.` and a suffix; scheme, `www.`, port and path do not count."""


class WorkspaceDomainsDeleteResult(Success):
    data: DomainsRemoved


class WorkspaceDomainsGetResult(Success):
    data: AllowedDomains


WorkspaceId: TypeAlias = str


class WorkspaceOwner(TypedDict):
    """
    The owner of a workspace, as callers see them.
    """

    avatar: str
    """Picture; empty when unset."""

    email: str
    """E-mail address."""

    id: str
    """Generated id."""

    name: str
    """Display name."""


WorkspacePlan: TypeAlias = Literal['free', 'paid']
"""
What a workspace has bought; production keys need `paid` (spec 4.1).

- `free`: Testing keys only.
- `paid`: Production keys, too.
"""


class WorkspaceSecretsResealRequest(TypedDict):
    start: NotRequired[str | None]
    """Where to go on; at the beginning when absent."""


class WorkspaceSecretsResealResult(Success):
    data: ResealProgress


class WorkspaceSettings(TypedDict):
    id: WorkspaceId
    maxProductionKeys: int
    maxTestingKeys: int
    maxWebhookEndpoints: int
    name: str
    plan: WorkspacePlan
    productionKeys: int
    """How many it has."""

    selfServeProductionKeys: bool
    testingKeys: int
    """How many it has."""


class WorkspaceTokenRotated(TypedDict):
    authToken: str
    """Shown once."""

    id: WorkspaceId


class WorkspaceUpdateRequest(TypedDict):
    id: WorkspaceId
    maxProductionKeys: NotRequired[int | None]
    """How many production keys it may have."""

    maxTestingKeys: NotRequired[int | None]
    """How many testing keys it may have."""

    maxWebhookEndpoints: NotRequired[int | None]
    """How many webhook endpoints each of its keys may have."""

    name: NotRequired[str | None]
    """Of the workspace."""

    plan: NotRequired[WorkspacePlan | None]
    """Production keys need `paid`."""

    selfServeProductionKeys: NotRequired[bool | None]
    """Whether it may create production keys itself."""


class WorkspaceUpdateResult(Success):
    data: WorkspaceSettings


class AccessContext(TypedDict):
    """
    What a caller's product knows of who may see it: kept and shown, not decided on, for users have no access context of their own.
    """

    access: NotRequired[JsonObject]
    """Values by field."""


class ActivitiesAdded(TypedDict):
    activities: dict[str, ItemOutcome]
    """How each of them went."""

    message: str
    success: bool
    """Whether all of them were written."""


class ActivitiesDeleteRequest(TypedDict):
    activityIds: NotRequired[list[ActivityId] | None]
    """These only."""

    documentId: NotRequired[DocumentId | None]
    """Those of this document only. One added a moment ago may be missed."""

    organizationId: OrganizationId
    targetEntityId: NotRequired[EntityId | None]
    """Those about this only. One added a moment ago may be missed."""


class ActivitiesDeleteResult(Success):
    data: dict[str, ItemOutcome]
    hasMore: bool
    """Whether there may be more to delete."""


class ActivitiesGetRequest(TypedDict):
    actionTypes: NotRequired[list[ActionType] | None]
    """What was done like this only; no filter when absent or empty."""

    activityIds: NotRequired[list[ActivityId] | None]
    """These only; no filter when absent or empty."""

    documentId: NotRequired[DocumentId | None]
    """Those of this document only."""

    featureTypes: NotRequired[list[ActivityFeature] | None]
    """What is part of these only; no filter when absent or empty."""

    order: NotRequired[SortOrder | None]
    """By time; `desc` when absent."""

    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]
    targetEntityId: NotRequired[EntityId | None]
    """Those about this only."""

    userId: NotRequired[UserId | None]
    """What this user did only."""


class ActivitiesUpdateResult(Success):
    data: dict[str, ItemOutcome]


ActivityPatchChanges: TypeAlias = dict[str, ValueChangeInput]


class ActivityPlace(TypedDict):
    apiKey: ApiKeyId
    documentId: DocumentId
    organizationId: OrganizationId


class Agent(TypedDict):
    """
    An agent; a custom one with its current version.
    """

    agentId: str
    createdAt: NotRequired[int]
    """Epoch milliseconds."""

    description: str
    enabled: bool
    essentialDefault: NotRequired[bool]
    """Whether it is enabled unless something else was said."""

    id: str
    """The same as `agentId`."""

    lastUpdated: NotRequired[int]
    """Epoch milliseconds."""

    managedBy: AgentManager
    metadata: NotRequired[JsonObject]
    """The caller's own members."""

    name: str
    system: NotRequired[bool]
    """True."""

    version: NotRequired[int]
    """The current one."""


class AgentAiConfig(TypedDict):
    """
    The model that an agent works with.
    """

    maxToolTurns: NotRequired[int]
    """8 when absent."""

    model: NotRequired[str | None]
    """Taken, but not kept."""

    provider: NotRequired[AgentProvider | None]


class AgentAuth(TypedDict):
    """
    How a call is authorized. Tokens, passwords and header values are sealed at rest.
    """

    type: AgentAuthType


class AgentContextField(TypedDict):
    """
    Something that is asked of the user.
    """

    id: str
    required: NotRequired[bool | None]
    title: str
    type: AgentFieldType


class AgentCrossPage(TypedDict):
    """
    Comparing several pages.
    """

    enabled: bool
    pageDiscovery: AgentPageDiscovery
    pages: NotRequired[list[str] | None]
    sourceOfTruthKnowledgeSourceId: NotRequired[str | None]
    targetProperty: str


class AgentEndpoint(TypedDict):
    """
    An endpoint that the strategy `rest-api` calls.
    """

    auth: NotRequired[AgentAuth | JsonObject | None]
    url: AgentAddress


class AgentInput(TypedDict):
    """
    What an agent is given with each run.
    """

    inputRequirements: NotRequired[AgentInputRequirements | JsonObject | None]
    """What has to be there."""

    userContextFields: NotRequired[list[AgentContextField | JsonObject] | None]
    """What is asked of the user."""

    variableKeys: NotRequired[list[str] | None]
    """Names of variables."""


class AgentPostProcess(TypedDict):
    """
    What is done with findings; stages that are not mentioned are on.
    """

    analytics: NotRequired[AgentStage | None]
    annotations: NotRequired[AgentAnnotations | JsonObject | None]
    customProcessors: NotRequired[list[Any] | None]
    deletePreviousSuggestions: NotRequired[AgentStage | None]
    guardrails: NotRequired[AgentStage | None]
    matchAndMerge: NotRequired[Any]
    """Taken, but not kept."""


class AgentReason(TypedDict):
    """
    Why an agent comments. Members that are not listed are kept.
    """

    confidence: NotRequired[int | None]
    description: str
    findingId: NotRequired[str | None]
    """What the agent calls what it found."""

    findingType: NotRequired[FindingType | None]
    severity: FindingSeverity
    source: NotRequired[ReasonSource | None]
    title: str


class AgentScope(TypedDict):
    """
    Where an agent works.
    """

    crossPage: NotRequired[AgentCrossPage | JsonObject | None]
    """Comparing several pages."""


class AgentSummary(TypedDict):
    """
    Who an agent is.
    """

    agentId: str
    createdAt: NotRequired[int]
    """Epoch milliseconds."""

    description: str
    enabled: bool
    essentialDefault: NotRequired[bool]
    """Whether it is enabled unless something else was said."""

    executionCount: int
    """How often it ran."""

    id: str
    """The same as `agentId`."""

    lastExecutedAt: int | None
    """Epoch milliseconds; null when it never ran."""

    lastUpdated: NotRequired[int]
    """Epoch milliseconds."""

    managedBy: AgentManager
    metadata: NotRequired[JsonObject]
    """The caller's own members."""

    name: str
    system: NotRequired[bool]
    """True."""

    version: NotRequired[int]
    """The current one."""


class AgentsCreateResult(Success):
    data: AgentReference


class AgentsDeleteResult(Success):
    data: AgentReference


class AgentsGetRequest(TypedDict):
    agentId: NotRequired[AgentId | None]
    """This agent only."""

    filter: NotRequired[AgentFilter | None]
    """Which agents to list; all when absent. Of no effect with `agentId`."""

    groupId: NotRequired[ResourceId | None]
    """Agents of a group. There are no groups yet."""


class AgentsUpdateResult(Success):
    data: AgentReference


class AgentsVersionUpdateResult(Success):
    data: CurrentAgentVersion


class AgentsVersionsListResult(Success):
    data: AgentVersions


class AgentsVersionsRestoreResult(Success):
    data: CurrentAgentVersion


class AnnotationStatus(TypedDict):
    """
    The status of a thread. Of `OPEN`, `IN_PROGRESS` and `RESOLVED` the `id` is enough; of others all but one of `svg` and `iconUrl` is required.
    """

    color: str
    """Color of its icon."""

    iconUrl: NotRequired[str]
    """Where the icon is."""

    id: str
    """What tells it from others."""

    lightColor: str
    """Background of its icon."""

    name: str
    """Display name."""

    svg: NotRequired[str]
    """The icon itself."""

    type: AnnotationStatusType
    """What it means."""


class AnnotationStatusInput(TypedDict):
    """
    The status of a thread. Of `OPEN`, `IN_PROGRESS` and `RESOLVED` the `id` is enough; of others all but one of `svg` and `iconUrl` is required.
    """

    color: NotRequired[str | None]
    iconUrl: NotRequired[str | None]
    id: str
    lightColor: NotRequired[str | None]
    name: NotRequired[str | None]
    svg: NotRequired[str | None]
    type: NotRequired[AnnotationStatusType | None]


class ApiKey(TypedDict):
    """
    An API key in a list (siblings 3.5).
    """

    apiKeyName: str
    disabled: NotRequired[bool]
    """Whether calls with it are refused; absent when they are not."""

    id: ApiKeyId
    type: ApiKeyType


class ApiKeyConfigAiModelsConfig(TypedDict):
    anthropic: NotRequired[MaskedAiKey]
    gemini: NotRequired[MaskedAiKey]
    openai: NotRequired[MaskedAiKey]


class ApiKeyConfigChangedAiModelsConfig(TypedDict):
    anthropic: NotRequired[MaskedAiKey]
    gemini: NotRequired[MaskedAiKey]
    openai: NotRequired[MaskedAiKey]


class ApiKeyCreated(TypedDict):
    apiKey: ApiKeyId


class AuthToken(TypedDict):
    """
    Spec 2.2.
    """

    domains: list[Domain]
    """Domains it is restricted to; may be empty."""

    expiresAt: NotRequired[int]
    """When it stops working, in epoch milliseconds; absent of the current one."""

    name: str
    token: str


class AuthTokenReset(TypedDict):
    apiKey: ApiKeyId
    newAuthToken: AuthToken


class AuthTokens(TypedDict):
    apiKey: ApiKeyId
    authTokens: list[AuthToken]
    """Empty when the key was created without one."""


class BatchConfig(TypedDict):
    """
    Taking notifications together, by document and by user.
    """

    document: NotRequired[NotificationWindow]
    """Those of one document."""

    user: NotRequired[NotificationWindow]
    """Those of one user."""


class BatchConfigInput(TypedDict):
    """
    Taking notifications together, by document and by user.
    """

    document: NotRequired[NotificationWindowInput | None]
    """Those of one document."""

    user: NotRequired[NotificationWindowInput | None]
    """Those of one user."""


class CommentAgent(TypedDict):
    """
    The agent that wrote a comment.
    """

    agentId: str
    """Which one it is."""

    agentName: NotRequired[str]
    """Display name."""

    agentSource: AgentSource
    """Whose it is."""

    agentType: CommentAgentType
    """What kind it is."""

    executionId: NotRequired[str]
    """The run it wrote the comment in."""

    reason: AgentReason
    """Why it comments."""

    url: NotRequired[str]
    """The page it looked at."""


class CommentAttachment(TypedDict):
    """
    A file that hangs on a comment.
    """

    attachmentId: int
    """Its number, unique in the thread."""

    bucketPath: NotRequired[str]
    metadata: NotRequired[JsonObject]
    mimeType: NotRequired[str]
    name: NotRequired[str]
    size: NotRequired[int]
    """In bytes."""

    thumbnail: NotRequired[str]
    type: NotRequired[str]
    """Kind of file."""

    url: NotRequired[str]


class CommentsAddResult(Success):
    data: list[int]


class CommentsAnnotationsAddResult(Success):
    data: dict[str, CommentAnnotationAdded]


class CommentsAnnotationsCountRequest(TypedDict):
    documentIds: list[DocumentId]
    organizationId: OrganizationId
    statusIds: NotRequired[list[StatusId] | None]
    """Of these statuses; of all when none are named."""

    userId: UserId


class CommentsAnnotationsCountResult(Success):
    data: dict[str, CommentAnnotationCount]


class CommentsAnnotationsDeleteResult(Success):
    data: dict[str, CommentAnnotationResult]


class CommentsAnnotationsGetRequest(TypedDict):
    agentComments: NotRequired[bool | None]
    """Comments of agents only."""

    agentId: NotRequired[str | None]
    """Of this agent; at most one member may ask for agents."""

    agentSource: NotRequired[AgentSource | None]
    agentSuggestions: NotRequired[bool | None]
    """Suggestions of agents only."""

    agentType: NotRequired[CommentAgentType | None]
    annotationIds: NotRequired[list[AnnotationId] | None]
    createdAfter: NotRequired[int | None]
    createdBefore: NotRequired[int | None]
    documentId: NotRequired[DocumentId | None]
    documentIds: NotRequired[list[DocumentId] | None]
    """Of several documents; of all when none are named."""

    executionId: NotRequired[str | None]
    folderId: NotRequired[FolderId | None]
    """Of the documents of this folder, `root` for those in none."""

    groupByDocumentId: NotRequired[bool | None]
    """Whether to answer with a map by document, without what is not found."""

    locationIds: NotRequired[list[LocationId] | None]
    mentionedUserIds: NotRequired[list[UserId] | None]
    order: NotRequired[SortOrder | None]
    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]
    resolvedBy: NotRequired[UserId | None]
    """Resolved by this user."""

    statusIds: NotRequired[list[StatusId] | None]
    updatedAfter: NotRequired[int | None]
    """Epoch milliseconds."""

    updatedBefore: NotRequired[int | None]
    userIds: NotRequired[list[UserId] | None]
    """Of these authors."""


class CommentsAnnotationsSubscribeResult(Success):
    data: Done


class CommentsAnnotationsUnsubscribeResult(Success):
    data: Done


class CommentsAnnotationsUpdateResult(Success):
    data: dict[str, CommentAnnotationResult]


class CommentsDeleteResult(Success):
    data: dict[str, CommentResult]


class CommentsGetRequest(TypedDict):
    annotationId: AnnotationId
    commentIds: NotRequired[list[CommentId] | None]
    """These; all when none are named."""

    documentId: DocumentId
    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]
    userIds: NotRequired[list[UserId] | None]
    """Of these authors; of all when none are named."""


class CommentsReactionsAddResult(Success):
    data: ReactionAdded


class CommentsReactionsDeleteResult(Success):
    data: ReactionDeleted


class CommentsUpdateResult(Success):
    data: dict[str, CommentResult]


class ConfigurationAdvancedWebhooksGetResult(Success):
    data: AdvancedWebhookConfig


class ConfigurationAdvancedWebhooksUpdateResult(Success):
    data: AdvancedWebhookConfig


class DeliveriesAttemptsGetRequest(TypedDict):
    endpointId: NotRequired[EndpointId | None]
    """Only attempts at this endpoint."""

    iterator: NotRequired[str | None]
    """The `iterator` or the `prevIterator` of another page; the first page when absent."""

    limit: NotRequired[int | None]
    """At most this many; 50 when absent."""

    messageId: NotRequired[MessageId | None]
    """Only attempts of this message; this or `endpointId` is required."""


class DeliveriesEndpointsRecoverRequest(TypedDict):
    endpointId: EndpointId
    since: Instant
    """At most 14 days ago."""


class DeliveriesEndpointsRecoverResult(Success):
    data: RecoveryStarted


class DeliveriesMessagesGetRequest(TypedDict):
    endpointId: NotRequired[EndpointId | None]
    """Only messages that were sent to this endpoint, or wait for it."""

    iterator: NotRequired[str | None]
    """The `iterator` or the `prevIterator` of another page; the newest messages when absent."""

    limit: NotRequired[int | None]
    """At most this many; 50 when absent."""

    since: NotRequired[Instant | None]
    """Only messages of events since then."""


class DeliveriesMessagesGetResult(Success):
    data: WebhookMessages


class DeliveriesMessagesResendRequest(TypedDict):
    endpointId: EndpointId
    """Where to send it: an endpoint, or `basic-raw` or `basic-processed` for what was sent as a basic webhook."""

    messageId: MessageId


class DeliveriesMessagesResendResult(Success):
    data: ResendStarted


class DeliveryAttempt(TypedDict):
    """
    An attempt.
    """

    durationMs: int
    endpointId: EndpointId
    failure: str | None
    """Why no answer came: `address_refused`, `dns`, `connect`, `tls`, `no_root_certificates`, `timeout`, `protocol`, `url`, `encryption` or `signature`."""

    id: str
    messageId: MessageId
    response: str
    """The first 16 KiB of the answer; empty in old attempts of a message whose answers take more than 300 KB together."""

    responseIsBase64: bool
    """Whether `response` is in base64, because it was no text."""

    status: str
    """`success` or `failed`."""

    statusCode: int | None
    """Null when no answer came."""

    timestamp: str
    """When it began."""

    trigger: str
    """`scheduled` or `manual`."""

    url: str
    """Where it was sent, up to 2,048 characters of it."""


class DeliveryAttempts(TypedDict):
    attempts: list[DeliveryAttempt]
    """Those of the newest message first; those of one message from endpoint to endpoint, the newest first; at one endpoint, the newest first. Of each message at an endpoint, the latest ten attempts of the schedule and the latest ten that were ordered."""

    done: bool
    """Whether there are no older attempts."""

    iterator: str | None
    """Leads to older attempts; null when done."""

    prevIterator: str | None
    """Leads back to newer attempts, sent as `iterator`; null on the first page."""


class Document(TypedDict):
    """
    Spec 2.13.
    """

    accessType: AccessType
    """Its own setting, else the default of the API key."""

    createdAt: int
    """Epoch milliseconds."""

    disabled: bool
    documentId: DocumentId
    documentName: str
    """Empty when unset."""

    folderId: NotRequired[FolderId]
    """Absent when it lies in none."""

    id: DocumentId
    lastUpdated: int
    """Epoch milliseconds."""

    organizationId: OrganizationId


class DocumentAccessResult(TypedDict):
    accessType: AccessType
    """As sent."""

    code: NotRequired[ItemErrorCode]
    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


class DocumentDisabledResult(TypedDict):
    code: NotRequired[ItemErrorCode]
    disabled: bool
    """As sent."""

    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


class DocumentResult(TypedDict):
    code: NotRequired[ItemErrorCode]
    id: DocumentId
    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


class DocumentsAccessUpdateRequest(TypedDict):
    accessType: AccessType
    """Who may reach them."""

    documentIds: list[DocumentId]
    organizationId: OrganizationId


class DocumentsAccessUpdateResult(Success):
    data: dict[str, DocumentAccessResult]


class DocumentsAddRequest(TypedDict):
    createFolder: NotRequired[bool | None]
    """Whether to create the folder at the top when there is none."""

    createOrganization: NotRequired[bool | None]
    """Whether to create the organization when there is none."""

    documents: list[NewDocument | JsonObject]
    folderId: NotRequired[FolderId | None]
    """The folder they lie in; none when absent or `root`."""

    organizationId: OrganizationId


class DocumentsAddResult(Success):
    data: dict[str, DocumentResult]


class DocumentsDeleteRequest(TypedDict):
    documentIds: list[DocumentId]
    organizationId: OrganizationId


class DocumentsDeleteResult(Success):
    data: dict[str, DocumentResult]


class DocumentsDisableRequest(TypedDict):
    disabled: bool
    """Whether their end users are locked out."""

    documentIds: list[DocumentId]
    organizationId: OrganizationId


class DocumentsDisableResult(Success):
    data: dict[str, DocumentDisabledResult]


class DocumentsGetRequest(TypedDict):
    documentIds: NotRequired[list[DocumentId] | None]
    """These only; no filter when absent or empty."""

    folderId: NotRequired[FolderId | None]
    """Those in this folder only. Documents added or moved a moment ago may be missing."""

    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]


class DocumentsGetResult(Success):
    data: list[Document]
    pageToken: str | None
    """Null on the last page."""


class DocumentsMoveDocumentsRequest(TypedDict):
    documentIds: list[DocumentId]
    folderId: FolderId
    """The folder they shall lie in; `root` for none."""

    organizationId: OrganizationId


class DocumentsUpdateRequest(TypedDict):
    documents: list[DocumentPatch | JsonObject]
    organizationId: OrganizationId


class DocumentsUpdateResult(Success):
    data: dict[str, DocumentResult]


class Editor(TypedDict):
    contentKey: str
    """The name of the shared type that holds the content."""

    data: Any
    """A string, an object or an array, as `type` says."""

    id: EditorId
    """The editor."""

    lastUpdate: str
    lastUpdatedBy: UserId | None
    """Null when it was not said."""

    sessionId: str | None
    """Null: nobody has a session here."""

    type: EditorType


class EditorContent(TypedDict):
    """
    A shared editor at the time of sending.
    """

    data: NotRequired[Any]
    """The content, as `crdt/get` shows it."""

    id: EditorId
    lastUpdate: NotRequired[str]
    lastUpdatedBy: NotRequired[Any]
    """Who changed it last, as far as is known."""

    sessionId: NotRequired[None]
    """Always null."""


class EditorsAddRequest(TypedDict):
    contentKey: NotRequired[str | None]
    """The name of the shared type that holds the content; `content` when absent."""

    data: Any
    """A string for `text` and `xml`, an object for `map`, an array for `array`."""

    documentId: DocumentId
    editorId: EditorId
    organizationId: OrganizationId
    type: EditorType
    userId: NotRequired[UserId | None]
    """Who did it."""


class EditorsDeleteRequest(TypedDict):
    documentId: DocumentId
    editorIds: NotRequired[list[EditorId] | None]
    """These only; every editor of the document when absent."""

    organizationId: OrganizationId


class EditorsDeleteResult(Success):
    data: dict[str, EditorResult]


class EditorsGetRequest(TypedDict):
    documentId: DocumentId
    editorId: NotRequired[EditorId | None]
    """This one only; every editor of the document when absent."""

    organizationId: OrganizationId


class EditorsGetResult(Success):
    data: list[Editor]


class EditorsStateGetRequest(TypedDict):
    documentId: DocumentId
    editorId: EditorId
    organizationId: OrganizationId
    stateVector: NotRequired[str | None]
    """What the peer has, as Yjs encodes it; nothing when absent."""


class EditorsStateGetResult(Success):
    data: EditorState


class EditorsUpdateRequest(TypedDict):
    contentKey: NotRequired[str | None]
    """The name of the shared type that holds the content; that of the editor when absent."""

    data: Any
    """A string for `text` and `xml`, an object for `map`, an array for `array`."""

    documentId: DocumentId
    editorId: EditorId
    organizationId: OrganizationId
    type: EditorType
    userId: NotRequired[UserId | None]
    """Who did it."""


class EditorsUpdatesAddRequest(TypedDict):
    contentKey: NotRequired[str | None]
    """The name of the shared type that holds the content of an editor that is added; `content` when absent."""

    documentId: DocumentId
    editorId: EditorId
    organizationId: OrganizationId
    type: NotRequired[EditorType | None]
    """What the editor holds; it is added with this type when there is none yet."""

    updates: list[str]
    """Each of at most 350 KB before base64."""

    userId: NotRequired[UserId | None]
    """Who did it."""


class EffectivePermission(TypedDict):
    accessRole: NotRequired[AccessRole]
    accessType: NotRequired[AccessType]
    """What holds for the resource, inherited or not; absent for organizations."""

    error: NotRequired[str]
    errorCode: NotRequired[PermissionErrorCode]
    expiresAt: NotRequired[int]
    """When the right ends, in epoch seconds; never when absent."""


class EndpointEvent(TypedDict):
    """
    A webhook endpoint was added, changed, deleted or disabled, or soon will be.
    """

    apiKey: ApiKeyId
    endpointId: EndpointId
    percent: NotRequired[int]
    """Of `endpoint.failing`: how much of the time has passed after which it is disabled."""

    reason: NotRequired[DisableReason]
    """Of `endpoint.disabled`: why."""


class EndpointEventWebhook(TypedDict):
    """
    The frame of every body. One of more than 256 KiB has only ids in `data`, and `truncated`.
    """

    data: NotRequired[EndpointEvent]
    """Absent once a user was erased whom it named."""

    expunged: NotRequired[bool]
    """True when a user was erased whom `data` named."""

    id: MessageId
    """The id of the message: the same in every attempt."""

    seq: NotRequired[int]
    """The number of the event in its document, from 1 without gaps."""

    timestamp: str
    """When it happened."""

    type: EndpointEventWebhookType


class ErasureJob(TypedDict):
    jobId: JobId
    """To ask how far it is, for 30 days."""

    tasksCount: int
    """One for each user."""


class ErrorDetails(TypedDict):
    """
    What is wrong with which member of the body.
    """

    issues: NotRequired[list[ErrorIssue]]


class Folder(TypedDict):
    """
    Spec 2.9.
    """

    accessType: AccessType
    """What holds for it, inherited or not."""

    ancestors: list[FolderId]
    """From `root` down to the direct parent."""

    apiKey: ApiKeyId
    createdAt: int
    """Epoch milliseconds."""

    folderId: FolderId
    folderName: str
    """Empty when unset."""

    inheritAccessFromParent: bool
    lastUpdated: int
    """Epoch milliseconds."""

    organizationId: OrganizationId
    parentFolderId: FolderId
    """`root` at the top."""

    subFolders: NotRequired[list[Folder]]
    """Present when nested folders were asked for."""


class FolderAccessResult(TypedDict):
    accessType: AccessType | None
    """Null when inherited."""

    code: NotRequired[ItemErrorCode]
    inheritFromParent: bool
    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


class FolderResult(TypedDict):
    code: NotRequired[ItemErrorCode]
    id: FolderId
    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""


class FoldersAccessUpdateRequest(TypedDict):
    accessType: NotRequired[AccessType | None]
    """Who may reach them; needed unless they inherit."""

    folderIds: list[FolderId]
    inheritFromParent: NotRequired[bool | None]
    """Whether the access type of the parent holds."""

    organizationId: OrganizationId


class FoldersAccessUpdateResult(Success):
    data: dict[str, FolderAccessResult]


class FoldersAddRequest(TypedDict):
    createOrganization: NotRequired[bool | None]
    """Whether to create the organization when there is none."""

    folders: list[NewFolder]
    organizationId: OrganizationId


class FoldersAddResult(Success):
    data: dict[str, FolderResult]


class FoldersDeleteRequest(TypedDict):
    folderId: FolderId
    organizationId: OrganizationId


class FoldersDeleteResult(Success):
    data: None


class FoldersGetRequest(TypedDict):
    folderId: NotRequired[FolderId | None]
    """This folder only."""

    maxDepth: NotRequired[int | None]
    """Levels of `subFolders`."""

    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]


class FoldersGetResult(Success):
    data: list[Folder]
    nextPageToken: str | None
    """Null on the last page."""


class FoldersUpdateRequest(TypedDict):
    folders: list[FolderPatch]
    organizationId: OrganizationId


class FoldersUpdateResult(Success):
    data: dict[str, FolderResult]


class LiveState(TypedDict):
    data: JsonObject
    lastUpdated: int
    """Epoch milliseconds."""

    liveStateDataId: LiveStateDataId
    revision: int
    """Counts the writes, from 1."""


class LiveStateBroadcastRequest(TypedDict):
    data: JsonObject
    """Any object."""

    documentId: DocumentId
    liveStateDataId: LiveStateDataId
    merge: NotRequired[bool | None]
    """Whether to merge it into what is there: members merge at any depth, `null` removes one, arrays and all else replace. Otherwise the whole is replaced."""

    organizationId: OrganizationId


class LiveStateBroadcastResult(Success):
    data: Done


class LiveStateBroadcastWrapped(TypedDict):
    data: LiveStateBroadcastRequest


class LiveStateGetRequest(TypedDict):
    documentId: DocumentId
    liveStateDataId: NotRequired[LiveStateDataId | None]
    """This one only."""

    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]


class LiveStateGetResult(Success):
    data: list[LiveState]
    pageToken: str | None
    """Null on the last page."""


class McpServer(TypedDict):
    """
    A server whose tools an agent may use.
    """

    allowedTools: NotRequired[list[str] | None]
    auth: NotRequired[AgentAuth | JsonObject | None]
    description: NotRequired[str | None]
    id: str
    name: NotRequired[str | None]
    timeoutMs: NotRequired[int]
    """30,000 when absent."""

    transport: NotRequired[McpTransport | None]
    url: AgentAddress


class MessageEvent(TypedDict):
    """
    A webhook message fails at an endpoint, or was delivered after failures.
    """

    apiKey: ApiKeyId
    attempts: int
    """Attempts so far."""

    endpointId: EndpointId
    messageId: MessageId
    messageType: str
    """The type of its event."""

    statusCode: int | None
    """The last HTTP status of the endpoint; null when it did not answer."""


class MessageEventWebhook(TypedDict):
    """
    The frame of every body. One of more than 256 KiB has only ids in `data`, and `truncated`.
    """

    data: NotRequired[MessageEvent]
    """Absent once a user was erased whom it named."""

    expunged: NotRequired[bool]
    """True when a user was erased whom `data` named."""

    id: MessageId
    """The id of the message: the same in every attempt."""

    seq: NotRequired[int]
    """The number of the event in its document, from 1 without gaps."""

    timestamp: str
    """When it happened."""

    type: MessageEventWebhookType


NewActivityChanges: TypeAlias = dict[str, ValueChangeInput]


class NewCommentAgent(TypedDict):
    """
    An agent as callers name it.
    """

    agentId: str
    agentName: NotRequired[str | None]
    """Required for an external agent."""

    agentSource: AgentSource
    executionId: NotRequired[str | None]
    reason: AgentReason
    url: NotRequired[str | None]


class NewOrganization(TypedDict):
    organizationId: OrganizationId
    organizationName: NotRequired[str | None]


class NewPresenceUser(TypedDict):
    """
    A user as callers send them: whole to add, in part to update.
    """

    email: NotRequired[str | None]
    """E-mail address."""

    name: NotRequired[str | None]
    """Display name."""

    status: NotRequired[str | None]
    """Such as `online`, which a new record has when it is left out, `away` or `offline`."""

    userId: UserId
    """The caller's id."""


class NewRecordedTime(TypedDict):
    duration: RecordingDuration
    """In milliseconds."""


class NewRecordingAttachment(TypedDict):
    attachmentId: NotRequired[int | None]
    """Generated when absent."""

    mimeType: NotRequired[str | None]
    name: NotRequired[str | None]
    size: NotRequired[int | None]
    """In bytes."""

    type: NotRequired[RecordingFileType | None]
    url: str
    """Where the file is."""


class NewSuggestion(TypedDict):
    """
    A suggestion as callers send it, with members of their own.
    """

    status: NotRequired[SuggestionStatus | None]
    """Its outcome; `pending` for a new one."""


class NewUser(TypedDict):
    """
    A user as callers send them.
    """

    accessRole: NotRequired[AccessRole | None]
    """What the user may do; taken from v2 paths only."""

    color: NotRequired[str | None]
    """Color of cursor and avatar."""

    email: NotRequired[str | None]
    """E-mail address, for notifications."""

    initial: NotRequired[str | None]
    """Letter of the avatar; the first of `name` unless sent."""

    isAdmin: NotRequired[bool | None]
    """Whether the user administers."""

    isAnonymous: NotRequired[bool | None]
    """Whether the user is not known by name."""

    isGuest: NotRequired[bool | None]
    """Whether the user is a guest."""

    isReadOnly: NotRequired[bool | None]
    """Whether the user may only read."""

    name: NotRequired[str | None]
    """Display name."""

    photoUrl: NotRequired[str | None]
    """Address of a picture."""

    plan: NotRequired[str | None]
    """Plan of the caller's product."""

    textColor: NotRequired[str | None]
    """Color of text on `color`."""

    type: NotRequired[str | None]
    """Kind of user, such as `signedIn`."""

    userId: UserId
    """The caller's id."""


class NewVisibility(TypedDict):
    """
    The visibility of a thread as callers send it; public when `type` is absent.
    """

    organizationId: NotRequired[OrganizationId | None]
    """The organization whose members see it; required for `organizationPrivate`."""

    organizationIds: NotRequired[list[OrganizationId] | None]
    """Further organizations whose members see it."""

    type: NotRequired[VisibilityType | None]
    """Who sees it."""

    userIds: NotRequired[list[UserId] | None]
    """Users who see it; required for `restricted`."""


class NotificationAdded(TypedDict):
    id: NotificationId
    message: str
    success: bool


class NotificationChannels(TypedDict):
    """
    What is wanted on each channel; what is absent was not said.
    """

    chat: NotRequired[NotificationLevel | None]
    """By chat, where a chat integration is configured."""

    email: NotRequired[NotificationLevel | None]
    """By mail."""

    inbox: NotRequired[NotificationLevel | None]
    """In the product."""


class NotificationPreferenceResult(TypedDict):
    """
    How one item of a batch went: `success` and `message`.
    """

    documentId: NotRequired[DocumentId]
    """The first that was sent."""

    message: str
    """What happened to it; text for people."""

    success: bool
    """Whether the item was processed."""

    userId: UserId


class NotificationPreferenceScope(TypedDict):
    apiKey: ApiKeyId
    documentId: NotRequired[DocumentId]
    """Absent: the documents that have no preference of their own."""

    organizationId: OrganizationId
    userId: UserId


class NotificationsAddResult(Success):
    data: NotificationAdded


class NotificationsConfigGetRequest(TypedDict):
    documentIds: NotRequired[list[DocumentId] | None]
    """Required unless `getOrganizationConfig` is true, and by the v1 path always."""

    getOrganizationConfig: NotRequired[bool | None]
    """Whether to tell, after the documents, what holds for those without a preference."""

    organizationId: OrganizationId
    userId: UserId


class NotificationsConfigSetRequest(TypedDict):
    config: NotificationChannels
    documentIds: NotRequired[list[DocumentId] | None]
    """Required by the v1 path."""

    organizationId: OrganizationId
    userIds: list[UserId]


class NotificationsConfigSetResult(Success):
    data: dict[str, NotificationPreferenceResult]


class NotificationsDeleteRequest(TypedDict):
    documentId: NotRequired[DocumentId | None]
    """Those about this document."""

    locationId: NotRequired[str | None]
    """Those about this place."""

    notificationIds: NotRequired[list[NotificationId] | None]
    """These only."""

    organizationId: OrganizationId
    userId: NotRequired[UserId | None]
    """Those addressed to this user."""


class NotificationsDeleteResult(Success):
    data: dict[str, NotificationResult]


class NotificationsGetRequest(TypedDict):
    documentId: NotRequired[DocumentId | None]
    """Those about this document."""

    locationId: NotRequired[str | None]
    """Those about this place."""

    notificationIds: NotRequired[list[NotificationId] | None]
    """These only."""

    order: NotRequired[SortOrder | None]
    """By time; taken from the v2 path only."""

    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    """Taken from the v2 path only."""

    pageToken: NotRequired[str | None]
    """Taken from the v2 path only."""

    userId: NotRequired[UserId | None]
    """Those addressed to this user and visible to them."""


class NotificationsSeenRequest(TypedDict):
    annotationId: AnnotationId
    documentId: DocumentId
    organizationId: OrganizationId
    userId: UserId


class NotificationsSeenResult(Success):
    data: Done


class NotificationsTraceGetRequest(TypedDict):
    documentId: NotRequired[DocumentId | None]
    """What happened in this document."""

    eventId: NotRequired[str | None]
    """This event, or this custom notification."""

    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]
    userId: NotRequired[UserId | None]
    """What this user was to be notified of."""


class NotificationsUpdateResult(Success):
    data: dict[str, NotificationResult]


class Organization(TypedDict):
    createdAt: int
    """Epoch milliseconds."""

    disabled: bool
    id: OrganizationId
    lastUpdated: int
    """Epoch milliseconds."""

    organizationId: OrganizationId
    organizationName: str
    """Empty when unset."""


class OrganizationsAddRequest(TypedDict):
    organizations: list[NewOrganization | JsonObject]


class OrganizationsAddResult(Success):
    data: dict[str, OrganizationResult]


class OrganizationsDeleteResult(Success):
    data: dict[str, OrganizationResult]


class OrganizationsDisableResult(Success):
    data: dict[str, OrganizationDisabledResult]


class OrganizationsGetResult(Success):
    data: list[Organization]
    nextPageToken: str | None
    """Null on the last page."""


class OrganizationsUpdateResult(Success):
    data: dict[str, OrganizationResult]


class PermissionUser(TypedDict):
    userId: UserId


class PermissionsGetRequest(TypedDict):
    documentIds: NotRequired[list[DocumentId] | None]
    folderIds: NotRequired[list[FolderId] | None]
    organizationId: OrganizationId
    skipResourceExistenceValidation: NotRequired[bool | None]
    """Whether a folder or document that does not exist only fails its own entry."""

    userIds: list[UserId]


class Person(TypedDict):
    """
    A user as named in the data of others: the author of a comment, who acted. Kept as it was sent, whether the user is known or not.
    """

    color: NotRequired[str | None]
    """Color of cursor and avatar."""

    email: NotRequired[str | None]
    """E-mail address, for notifications."""

    initial: NotRequired[str | None]
    """Letter of the avatar; the first of `name` unless sent."""

    isAdmin: NotRequired[bool | None]
    """Whether the user administers."""

    isAnonymous: NotRequired[bool | None]
    """Whether the user is not known by name."""

    isGuest: NotRequired[bool | None]
    """Whether the user is a guest."""

    isReadOnly: NotRequired[bool | None]
    """Whether the user may only read."""

    name: NotRequired[str | None]
    """Display name."""

    photoUrl: NotRequired[str | None]
    """Address of a picture."""

    plan: NotRequired[str | None]
    """Plan of the caller's product."""

    textColor: NotRequired[str | None]
    """Color of text on `color`."""

    type: NotRequired[str | None]
    """Kind of user, such as `signedIn`."""

    userId: UserId
    """The caller's id."""


class PlanInfo(TypedDict):
    type: WorkspacePlan


class PresenceAddRequest(TypedDict):
    documentId: DocumentId
    organizationId: OrganizationId
    users: list[NewPresenceUser]


class PresenceAddResult(Success):
    data: Done


class PresenceDeleteRequest(TypedDict):
    documentId: DocumentId
    organizationId: OrganizationId
    userIds: list[UserId]


class PresenceDeleteResult(Success):
    data: Done


class PresenceGetRequest(TypedDict):
    documentId: DocumentId
    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]
    userIds: NotRequired[list[UserId] | None]
    """These only; no filter when absent or empty."""


class PresenceUpdateRequest(TypedDict):
    documentId: DocumentId
    organizationId: OrganizationId
    users: list[NewPresenceUser]


class PresenceUpdateResult(Success):
    data: Done


class PresenceUser(TypedDict):
    """
    Spec 2.11.
    """

    email: NotRequired[str]
    """Absent when unset."""

    lastUpdated: int
    """When the record was last added or updated, in epoch milliseconds."""

    name: NotRequired[str]
    """Absent when unset."""

    status: str
    userId: UserId


Reactor = TypedDict(
    'Reactor',
    {
        'from': Person,
        'lastUpdated': int,
    },
)


class RecordedTime(TypedDict):
    """
    How long a recording is.
    """

    display: str
    """The same as a clock shows it, `HH:MM:SS`."""

    duration: RecordingDuration
    """In milliseconds."""


class RecordingAsset(TypedDict):
    """
    A file of a recording, as events tell of it.
    """

    fileFormat: NotRequired[RecordingFileType]
    fileName: NotRequired[str]
    fileSizeInBytes: NotRequired[int]
    mimeType: NotRequired[str]
    url: str
    version: int
    """The number of the version."""


class RecordingAttachment(TypedDict):
    """
    A file of a recording.
    """

    attachmentId: int
    """Unique in the recording."""

    mimeType: NotRequired[str]
    """Media type."""

    name: NotRequired[str]
    """Name of the file."""

    size: NotRequired[int]
    """In bytes."""

    type: NotRequired[RecordingFileType]
    """Format of the file."""

    url: str
    """Where the file is."""


RecordingEvent = TypedDict(
    'RecordingEvent',
    {
        'actionType': NotRequired[str],
        'actionUser': NotRequired[Person | None],
        'annotationId': AnnotationId,
        'apiKey': ApiKeyId,
        'assets': NotRequired[list[RecordingAsset]],
        'assetsAllVersions': NotRequired[list[RecordingAsset]],
        'documentId': DocumentId,
        'from': NotRequired[Person],
        'metadata': NotRequired[JsonObject],
        'organizationId': OrganizationId,
        'platform': NotRequired[str],
        'recorderId': NotRequired[AnnotationId],
        'source': NotRequired[str],
        'truncated': NotRequired[bool],
    },
)


class RecordingEventWebhook(TypedDict):
    """
    The frame of every body. One of more than 256 KiB has only ids in `data`, and `truncated`.
    """

    data: NotRequired[RecordingEvent]
    """Absent once a user was erased whom it named."""

    expunged: NotRequired[bool]
    """True when a user was erased whom `data` named."""

    id: MessageId
    """The id of the message: the same in every attempt."""

    seq: NotRequired[int]
    """The number of the event in its document, from 1 without gaps."""

    timestamp: str
    """When it happened."""

    type: RecordingEventWebhookType


class RecordingVersion(TypedDict):
    """
    What changes with each version.
    """

    attachments: list[RecordingAttachment]
    """Its files."""

    displayName: str
    """What it is called."""

    recordedTime: RecordedTime
    """How long it is."""


class RecordingsAddResult(Success):
    data: dict[str, RecordingResult]


class RecordingsDeleteResult(Success):
    data: dict[str, ItemOutcome]


class ResourcePermission(TypedDict):
    """
    An organization or something in it, and what a user may do there.
    """

    accessRole: NotRequired[AccessRole | None]
    """What is allowed; `editor` when absent."""

    expiresAt: NotRequired[int | None]
    """When it ends, in epoch seconds; never when absent."""

    id: ResourceId
    """Its id."""

    organizationId: NotRequired[OrganizationId | None]
    """Where it lies; required for folders and documents."""

    type: ResourceType
    """What it is."""


class ScheduleTestClockAdvanceResult(Success):
    data: TestClock


class StrictPerson(TypedDict):
    color: NotRequired[str | None]
    """Color of cursor and avatar."""

    email: NotRequired[str | None]
    """E-mail address, for notifications."""

    initial: NotRequired[str | None]
    """Letter of the avatar; the first of `name` unless sent."""

    isAdmin: NotRequired[bool | None]
    """Whether the user administers."""

    isAnonymous: NotRequired[bool | None]
    """Whether the user is not known by name."""

    isGuest: NotRequired[bool | None]
    """Whether the user is a guest."""

    isReadOnly: NotRequired[bool | None]
    """Whether the user may only read."""

    name: NotRequired[str | None]
    """Display name."""

    photoUrl: NotRequired[str | None]
    """Address of a picture."""

    plan: NotRequired[str | None]
    """Plan of the caller's product."""

    textColor: NotRequired[str | None]
    """Color of text on `color`."""

    type: NotRequired[str | None]
    """Kind of user, such as `signedIn`."""

    userId: UserId
    """The caller's id."""


class StrictRemovedPermissions(TypedDict):
    resources: list[StrictResourcePermission]
    """Role and end do not matter."""


class Suggestion(TypedDict):
    """
    The suggestion of a thread.
    """

    status: SuggestionStatus
    """Its outcome."""


class TokenPermissions(TypedDict):
    resources: list[ResourcePermission]
    """What the user may reach with the token."""


class TraceRow(TypedDict):
    """
    The outcome of an event for one user on one channel.
    """

    channel: str
    """`inbox`, `email` or `chat`."""

    dueAt: NotRequired[int]
    """Until when it waits at the latest, in epoch milliseconds."""

    eventId: str
    """The event; the id of the notification for a custom one."""

    notificationId: NotRequired[NotificationId]
    """As which notification it was delivered."""

    reason: NotRequired[str]
    """Why it was dropped: `seen`, `muted`, `no_access`, `deleted`, `service_off`, `trigger_off`, `suppressed` or `bounced`."""

    state: TraceState
    """How far it has come."""

    userId: NotRequired[UserId]
    """The user; absent where it was decided for all of them."""


TriggerSwitch: TypeAlias = bool | TriggerSwitchMap


Triggers: TypeAlias = dict[str, TriggerSwitch]
"""
Switches by event, in whatever spelling they were sent: in groups (`comment.added` as `{"comment": {"added": true}}`) or flat (`comment.add`, `comment.added` or `added`). Keys that mean nothing are kept.
"""


class Unsubscribed(TypedDict):
    """
    A user who unsubscribed.
    """

    user: Person


class User(TypedDict):
    """
    A user of an organization, a document or a folder (spec 2.10).
    """

    accessRole: AccessRole
    color: NotRequired[str]
    """Color of cursor and avatar."""

    documentId: NotRequired[DocumentId]
    email: NotRequired[str]
    """E-mail address, for notifications."""

    folderId: NotRequired[FolderId]
    initial: NotRequired[str]
    """Letter of the avatar; the first of `name` unless sent."""

    isAdmin: NotRequired[bool]
    """Whether the user administers."""

    isAnonymous: NotRequired[bool]
    """Whether the user is not known by name."""

    isGuest: NotRequired[bool]
    """Whether the user is a guest."""

    isReadOnly: NotRequired[bool]
    """Whether the user may only read."""

    name: NotRequired[str]
    """Display name."""

    organizationId: OrganizationId
    photoUrl: NotRequired[str]
    """Address of a picture."""

    plan: NotRequired[str]
    """Plan of the caller's product."""

    textColor: NotRequired[str]
    """Color of text on `color`."""

    type: NotRequired[str]
    """Kind of user, such as `signedIn`."""

    userId: UserId


class UserDataDeleteRequest(TypedDict):
    organizationIds: NotRequired[list[OrganizationId] | None]
    """Where; in all organizations when absent."""

    userIds: list[UserId]


class UserDataDeleteResult(Success):
    data: ErasureJob
    statusCode: int
    """Always 202: it is accepted, not done."""


class UserDataGetRequest(TypedDict):
    organizationId: OrganizationId
    pageToken: NotRequired[str | None]
    userId: UserId


class UserGroup(TypedDict):
    groupId: GroupId
    """As groups are added."""

    groupName: NotRequired[str]
    organizationUserGroupId: GroupId
    """The same, as groups are named elsewhere."""

    userIds: list[UserId]


class UserGroupsGetResult(Success):
    data: list[UserGroup]
    nextPageToken: str | None
    """Null on the last page."""


class UserGroupsUsersAddRequest(TypedDict):
    organizationId: OrganizationId
    organizationUserGroupId: GroupId
    userIds: list[UserId]


class UserGroupsUsersDeleteRequest(TypedDict):
    deleteAll: NotRequired[bool | None]
    """Removes all users of the group, whatever `userIds` says; of a very large group as many as the reply has room for, and the rest with the next call."""

    organizationId: OrganizationId
    organizationUserGroupId: GroupId
    userIds: NotRequired[list[UserId] | None]
    """Removes these; needed unless `deleteAll` is true."""


class UserPermissions(TypedDict):
    """
    What one user may do.
    """

    documents: dict[str, EffectivePermission]
    folders: dict[str, EffectivePermission]
    organization: dict[str, EffectivePermission]


class UserReplacement(TypedDict):
    """
    A user who takes the place of another.
    """

    newUser: Person
    """Who is to be named instead."""

    oldUser: Person
    """Who was named so far."""


class UsersAddRequest(TypedDict):
    createDocument: NotRequired[bool | None]
    """Whether to create the document when there is none."""

    createFolder: NotRequired[bool | None]
    """Whether to create the folder when there is none."""

    documentId: NotRequired[DocumentId | None]
    """Adds them to this document, not to the organization."""

    folderId: NotRequired[FolderId | None]
    """Adds them to this folder, not to the organization."""

    organizationId: OrganizationId
    users: list[NewUser]


UsersFoundMap: TypeAlias = dict[str, list[User]]


class UsersGenerateTokenRequest(TypedDict):
    apiKey: NotRequired[Secret | None]
    """Instead of its header, in v1."""

    authToken: NotRequired[Secret | None]
    """Instead of its header, in v1."""

    permissions: NotRequired[TokenPermissions | None]
    """Required by v2."""

    userId: UserId
    userProperties: TokenUserProperties


class UsersUpdateRequest(TypedDict):
    documentId: NotRequired[DocumentId | None]
    """Changes users of this document."""

    folderId: NotRequired[FolderId | None]
    """Changes users of this folder."""

    organizationId: OrganizationId
    users: list[NewUser]


class Visibility(TypedDict):
    """
    The visibility of a comment annotation, as stored and shown.
    """

    organizationId: NotRequired[OrganizationId]
    """The organization whose members see it."""

    organizationIds: NotRequired[list[OrganizationId]]
    """Further organizations whose members see it."""

    type: VisibilityType
    """Who sees it."""

    userIds: NotRequired[list[UserId]]
    """Users who see it, the author among them."""


class WebhookEndpointsSecretGetResult(Success):
    data: WebhookSecret


class WebhookEndpointsSecretRotateResult(Success):
    data: WebhookSecret


class WebhookService(TypedDict):
    """
    The `webhookServiceConfig` of siblings 4.1; what is absent was never set.
    """

    authToken: NotRequired[Secret | None]
    """Sent with each webhook request for verification; an empty text unsets it."""

    enableDataProtection: NotRequired[bool | None]
    """Kept as it was sent."""

    encodeData: NotRequired[bool | None]
    """Whether bodies are sent in base64."""

    encryptData: NotRequired[bool | None]
    """Whether bodies are encrypted."""

    processedNotificationUrl: NotRequired[str | None]
    """Receives processed notifications; an empty text unsets it."""

    publicKey: NotRequired[str | None]
    """What they are encrypted with: an RSA key in base64, without PEM lines; an empty text unsets it."""

    rawNotificationUrl: NotRequired[str | None]
    """Receives unprocessed notifications; an empty text unsets it."""

    triggers: NotRequired[Triggers | None]
    """Which events are sent."""


class Workspace(TypedDict):
    """
    A workspace (siblings 3.1).
    """

    apiKeyList: dict[str, ApiKey]
    """By id."""

    id: WorkspaceId
    name: str
    owner: WorkspaceOwner


class WorkspaceApiKeyCreateResult(Success):
    data: ApiKeyCreated


class WorkspaceApiKeysGetResult(Success):
    data: list[ApiKey]
    nextPageToken: str | None
    """Null on the last page."""


class WorkspaceAuthTokenResetResult(Success):
    data: AuthTokenReset


class WorkspaceAuthTokenRotateResult(Success):
    data: WorkspaceTokenRotated


class WorkspaceAuthTokensGetResult(Success):
    data: AuthTokens


class WorkspaceCreateRequest(TypedDict):
    avatar: NotRequired[str | None]
    """Picture of the owner."""

    maxProductionKeys: NotRequired[int | None]
    """How many production keys it may have; 10 when absent."""

    maxTestingKeys: NotRequired[int | None]
    """How many testing keys it may have; 100 when absent."""

    name: NotRequired[str | None]
    """Of the owner; the e-mail address when absent."""

    ownerEmail: str
    plan: NotRequired[WorkspacePlan | None]
    """`paid` when absent; production keys need it."""

    selfServeProductionKeys: NotRequired[bool | None]
    """Whether it may create production keys itself; true when absent."""

    workspaceName: NotRequired[str | None]
    """`<name> workspace` when absent."""


class WorkspaceCreated(TypedDict):
    """
    A workspace that was created just now.
    """

    apiKeyList: dict[str, ApiKey]
    """By id."""

    authToken: str
    """Shown once: only its hash is kept."""

    id: WorkspaceId
    name: str
    owner: WorkspaceOwner


class WorkspaceGetResult(Success):
    data: Workspace


class ActivitiesAddResult(Success):
    data: ActivitiesAdded


class Activity(TypedDict):
    """
    Siblings 15.6.
    """

    actionIcon: NotRequired[str]
    """URL or name of an icon."""

    actionType: str
    actionUser: Person
    changes: NotRequired[dict[str, ValueChange]]
    """What changed, by member."""

    displayMessageTemplate: NotRequired[str]
    """The sentence people read, with `{{variable}}` where values go."""

    displayMessageTemplateData: NotRequired[JsonObject]
    """Values of the variables."""

    entityData: NotRequired[Any]
    """Snapshot of the entity."""

    entityTargetData: NotRequired[Any]
    """Snapshot of the target entity."""

    featureType: ActivityFeature
    id: ActivityId
    immutable: bool
    """Whether it can be neither changed nor deleted."""

    isActivityResolverUsed: NotRequired[bool]
    metadata: ActivityPlace
    targetEntityId: NotRequired[EntityId]
    targetSubEntityId: NotRequired[EntityId]
    timestamp: int
    """Epoch milliseconds."""


class ActivityPatch(TypedDict):
    """
    A change of an activity as callers send it.
    """

    actionIcon: NotRequired[str | None]
    """URL or name of an icon."""

    changes: NotRequired[ActivityPatchChanges | None]
    """What changed, by member."""

    displayMessageTemplate: NotRequired[str | None]
    """The sentence people read, with `{{variable}}` where values go."""

    displayMessageTemplateData: NotRequired[JsonObject | None]
    """Values of the variables."""

    entityData: NotRequired[Any]
    """Snapshot of the entity."""

    entityTargetData: NotRequired[Any]
    """Snapshot of the target entity."""

    id: ActivityId
    """Which activity."""


class ActivityService(TypedDict):
    """
    The `activityServiceConfig` of spec 2.8; what is absent was never set.
    """

    enabledTime: NotRequired[int | None]
    """Since when, in epoch milliseconds."""

    immutable: NotRequired[bool | None]
    """Whether records written from now on can never be changed."""

    isEnabled: NotRequired[bool | None]
    """Service switch."""

    triggers: NotRequired[Triggers | None]
    """Which events are logged, in group `comment`."""


class AgentContextGathering(TypedDict):
    """
    What an agent reads before it starts.
    """

    endpoints: NotRequired[list[AgentEndpoint | JsonObject] | None]
    """What the strategy `rest-api` calls."""

    selectors: NotRequired[list[Selector] | None]
    """Elements whose styles are read; the strategy `computed-styles` needs them."""

    strategies: NotRequired[list[AgentStrategy] | None]
    """Required of a new agent."""


class AgentExecution(TypedDict):
    """
    How an agent works.
    """

    aiConfig: NotRequired[AgentAiConfig | None]
    """The model it works with."""

    executionStrategy: NotRequired[AgentExecutionStrategy | None]
    """`ai` when absent."""

    knowledge: NotRequired[AgentKnowledge | None]
    """What it learns of earlier work."""

    mcpServers: NotRequired[list[McpServer | JsonObject] | None]
    """Servers whose tools it may use."""

    serviceId: NotRequired[AgentServiceId | None]
    """Needed by the strategies `service` and `service+ai`."""


class AgentOrAgents(TypedDict):
    agent: NotRequired[Agent]
    agents: NotRequired[list[AgentSummary]]


class AgentsCreateRequest(TypedDict):
    contextGathering: NotRequired[AgentContextGathering | JsonObject | None]
    """What is read of a page before the work starts."""

    description: str
    """What it is for; not blank."""

    enabled: bool
    """Whether it is active."""

    execution: NotRequired[AgentExecution | JsonObject | None]
    """How it works."""

    input: NotRequired[AgentInput | JsonObject | None]
    """What it is given with each run."""

    instructions: NotRequired[str | None]
    """Required and not blank, unless a service does all the work."""

    metadata: NotRequired[JsonObject | None]
    """The caller's own; at most 16 KiB."""

    name: str
    """Display name."""

    phaseTimeoutMs: NotRequired[int | None]
    """How long a phase may take."""

    postProcess: NotRequired[AgentPostProcess | None]
    """What is done with findings."""

    rawInstructions: NotRequired[str | None]
    """What the caller wrote before it was made instructions."""

    response: NotRequired[JsonObject | None]
    """What an answer looks like."""

    scope: NotRequired[AgentScope | JsonObject | None]
    """Where it works."""

    setup: NotRequired[JsonObject | None]
    """What comes before a run."""


class AgentsGetResult(Success):
    data: AgentOrAgents


class AgentsVersionUpdateRequest(TypedDict):
    agentId: AgentId
    contextGathering: NotRequired[AgentContextGathering | JsonObject | None]
    """What is read of a page before the work starts."""

    execution: NotRequired[AgentExecution | JsonObject | None]
    """How it works."""

    input: NotRequired[AgentInput | JsonObject | None]
    """What it is given with each run."""

    instructions: NotRequired[str | None]
    """Required and not blank, unless a service does all the work."""

    metadata: NotRequired[JsonObject | None]
    """The caller's own; at most 16 KiB."""

    phaseTimeoutMs: NotRequired[int | None]
    """How long a phase may take."""

    postProcess: NotRequired[AgentPostProcess | None]
    """What is done with findings."""

    rawInstructions: NotRequired[str | None]
    """What the caller wrote before it was made instructions."""

    response: NotRequired[JsonObject | None]
    """What an answer looks like."""

    scope: NotRequired[AgentScope | JsonObject | None]
    """Where it works."""

    setup: NotRequired[JsonObject | None]
    """What comes before a run."""


class AnnotationSubscription(TypedDict):
    """
    A user who subscribed to a thread.
    """

    type: SubscriptionType
    """How they came to it."""

    user: Person
    """Who."""


class ApiKeyConfig(TypedDict):
    aiModelsConfig: NotRequired[ApiKeyConfigAiModelsConfig]
    """Absent when there is none."""

    defaultDocumentAccessType: AccessType
    """Of documents that have none of their own."""

    features: ApiKeyFeatures
    isPrivateCommentsEnabled: bool
    ownerEmail: str
    planInfo: PlanInfo
    """Of the workspace."""

    requireAutoOrgUser: bool
    """Whether users join the organization with their first access."""

    requireJwtToken: bool
    """Whether clients must present end-user tokens."""


class ApiKeyConfigChanged(TypedDict):
    aiModelsConfig: NotRequired[ApiKeyConfigChangedAiModelsConfig]
    defaultDocumentAccessType: NotRequired[AccessType]
    enablePrivateComments: NotRequired[bool]
    features: NotRequired[ApiKeyFeaturesPatch]
    requireAutoOrgUser: NotRequired[bool]
    requireJwtToken: NotRequired[bool]


CommentAnnotationPatch = TypedDict(
    'CommentAnnotationPatch',
    {
        'assignedTo': NotRequired[Person | None],
        'context': NotRequired[Context | JsonObject | None],
        'createdAt': NotRequired[int | None],
        'from': NotRequired[Person | None],
        'lastUpdated': NotRequired[int | None],
        'location': NotRequired[Location | None],
        'priority': NotRequired[AnnotationPriorityInput | None],
        'resolvedByUserId': NotRequired[UserId | None],
        'status': NotRequired[AnnotationStatusInput | None],
        'statusUpdatedByUserId': NotRequired[UserId | None],
        'suggestion': NotRequired[NewSuggestion | JsonObject | None],
        'targetElement': NotRequired[JsonObject | None],
        'visibility': NotRequired[NewVisibility | None],
    },
)


class CommentContact(TypedDict):
    """
    Somebody mentioned in a comment, as `{{userId}}` in its text.
    """

    contact: NotRequired[Person | None]
    """What is known of them."""

    userId: UserId
    """Who."""


CommentPatch = TypedDict(
    'CommentPatch',
    {
        'attachments': NotRequired[list[NewCommentAttachment] | None],
        'commentHtml': NotRequired[str | None],
        'commentText': NotRequired[str | None],
        'context': NotRequired[Context | JsonObject | None],
        'createdAt': NotRequired[int | None],
        'from': NotRequired[Person | None],
        'isCommentResolverUsed': NotRequired[bool | None],
        'isCommentTextAvailable': NotRequired[bool | None],
        'lastUpdated': NotRequired[int | None],
        'taggedUserContacts': NotRequired[list[CommentContact] | None],
    },
)


CommentsAnnotationsDeleteRequest = TypedDict(
    'CommentsAnnotationsDeleteRequest',
    {
        'agentId': NotRequired[str | None],
        'agentSuggestions': NotRequired[bool | None],
        'agentUrls': NotRequired[list[str] | None],
        'annotationIds': NotRequired[list[AnnotationId] | None],
        'documentId': DocumentId,
        'from': NotRequired[StrictPerson | None],
        'locationIds': NotRequired[list[LocationId] | None],
        'organizationId': OrganizationId,
        'triggerActivities': NotRequired[bool | None],
        'triggerNotification': NotRequired[bool | None],
        'userIds': NotRequired[list[UserId] | None],
    },
)


class CommentsAnnotationsSubscribeRequest(TypedDict):
    annotationId: AnnotationId
    documentId: DocumentId
    organizationId: OrganizationId
    triggerNotification: NotRequired[bool | None]
    """Whether people are notified of it; webhooks are always told."""

    user: Person


class CommentsAnnotationsUnsubscribeRequest(TypedDict):
    annotationId: AnnotationId
    documentId: DocumentId
    organizationId: OrganizationId
    triggerNotification: NotRequired[bool | None]
    """Whether people are notified of it; webhooks are always told."""

    user: Person


class CommentsAnnotationsUpdateRequest(TypedDict):
    annotationIds: NotRequired[list[AnnotationId] | None]
    documentId: DocumentId
    locationIds: NotRequired[list[LocationId] | None]
    organizationId: OrganizationId
    triggerActivities: NotRequired[bool | None]
    """Whether activity records are written of it."""

    triggerNotification: NotRequired[bool | None]
    """Whether people are notified of it; webhooks are always told."""

    updateUsers: NotRequired[list[UserReplacement] | None]
    """Users who take the place of others, wherever the threads name them."""

    updatedData: NotRequired[CommentAnnotationPatch | None]
    """Required unless `updateUsers` is sent."""

    userIds: NotRequired[list[UserId] | None]
    """Of these authors."""


CommentsDeleteRequest = TypedDict(
    'CommentsDeleteRequest',
    {
        'annotationId': AnnotationId,
        'commentIds': NotRequired[list[CommentId] | None],
        'documentId': DocumentId,
        'from': NotRequired[StrictPerson | None],
        'organizationId': OrganizationId,
        'triggerActivities': NotRequired[bool | None],
        'triggerNotification': NotRequired[bool | None],
    },
)


CommentsReactionsAddRequest = TypedDict(
    'CommentsReactionsAddRequest',
    {
        'annotationId': AnnotationId,
        'commentId': int,
        'documentId': DocumentId,
        'from': Person,
        'icon': str,
        'organizationId': OrganizationId,
        'triggerActivities': NotRequired[bool | None],
        'triggerNotification': NotRequired[bool | None],
    },
)


CommentsReactionsDeleteRequest = TypedDict(
    'CommentsReactionsDeleteRequest',
    {
        'annotationId': AnnotationId,
        'commentId': int,
        'documentId': DocumentId,
        'from': StrictPerson,
        'icon': str,
        'organizationId': OrganizationId,
        'triggerActivities': NotRequired[bool | None],
        'triggerNotification': NotRequired[bool | None],
    },
)


class CommentsUpdateRequest(TypedDict):
    annotationId: AnnotationId
    commentIds: list[CommentId]
    documentId: DocumentId
    organizationId: OrganizationId
    triggerActivities: NotRequired[bool | None]
    """Whether activity records are written of it."""

    triggerNotification: NotRequired[bool | None]
    """Whether people are notified of it; webhooks are always told."""

    updatedData: CommentPatch


class ConfigurationActivitiesUpdateRequest(TypedDict):
    activityServiceConfig: ActivityService
    """Members left out keep their values."""


class ConfigurationWebhooksUpdateRequest(TypedDict):
    useWebhookService: NotRequired[bool | None]
    """Service switch."""

    webhookServiceConfig: NotRequired[WebhookService | None]
    """Members left out keep their values."""


class DeliveriesAttemptsGetResult(Success):
    data: DeliveryAttempts


class EditorEvent(TypedDict):
    """
    The content of a shared editor changed. Changes less than 5 seconds apart are one event.
    """

    actionType: NotRequired[str]
    """The type without what it happened to: `add`."""

    actionUser: NotRequired[Person | None]
    """Who did it; null when the caller did not say."""

    apiKey: ApiKeyId
    crdtData: EditorContent
    """The editor with its content."""

    documentId: DocumentId
    metadata: NotRequired[JsonObject]
    """Names and metadata of the document and the organization, at the time of the event."""

    organizationId: OrganizationId
    platform: NotRequired[str]
    """Always `sdk`."""

    source: NotRequired[str]
    """`comment`, `crdt` or `recorder`."""

    truncated: NotRequired[bool]
    """True when the rest was left out because of its size."""


class EditorEventWebhook(TypedDict):
    """
    The frame of every body. One of more than 256 KiB has only ids in `data`, and `truncated`.
    """

    data: NotRequired[EditorEvent]
    """Absent once a user was erased whom it named."""

    expunged: NotRequired[bool]
    """True when a user was erased whom `data` named."""

    id: MessageId
    """The id of the message: the same in every attempt."""

    seq: NotRequired[int]
    """The number of the event in its document, from 1 without gaps."""

    timestamp: str
    """When it happened."""

    type: EditorEventWebhookType


class EmailService(TypedDict):
    """
    The `emailServiceConfig` of spec 2.6; what is absent was never set.
    """

    apiKey: NotRequired[Secret | None]
    """Key at the provider; an empty text unsets it."""

    commentTemplateId: NotRequired[str | None]
    """Template of comment mails."""

    fromCompany: NotRequired[str | None]
    """Sender company name."""

    fromEmail: NotRequired[str | None]
    """Sender address; an empty text unsets it."""

    tagTemplateId: NotRequired[str | None]
    """Template of mention mails."""

    triggers: NotRequired[Triggers | None]
    """Which events send mail."""

    type: NotRequired[EmailType | None]
    """Who sends."""


class Error(TypedDict):
    details: NotRequired[ErrorDetails]
    message: str
    """One sentence for people."""

    status: ErrorStatus


class ErrorResponse(TypedDict):
    """
    The reply of a call that failed.
    """

    error: Error


class NewActivity(TypedDict):
    """
    An activity as callers send it to be added.
    """

    actionIcon: NotRequired[str | None]
    """URL or name of an icon."""

    actionType: str
    """What was done, such as `comment.add`."""

    actionUser: Person
    """Who did it."""

    changes: NotRequired[NewActivityChanges | None]
    """What changed, by member."""

    displayMessageTemplate: NotRequired[str | None]
    """The sentence people read, with `{{variable}}` where values go."""

    displayMessageTemplateData: NotRequired[JsonObject | None]
    """Values of the variables."""

    entityData: NotRequired[Any]
    """Snapshot of the entity."""

    entityTargetData: NotRequired[Any]
    """Snapshot of the target entity."""

    featureType: ActivityFeature
    """What it is part of."""

    id: NotRequired[ActivityId | None]
    """Generated when absent."""

    isActivityResolverUsed: NotRequired[bool | None]
    """Whether clients resolve it."""

    targetEntityId: NotRequired[EntityId | None]
    """What it is about; required for custom activities."""

    targetSubEntityId: NotRequired[EntityId | None]
    """The part of it that it is about."""


NewComment = TypedDict(
    'NewComment',
    {
        'agent': NotRequired[NewCommentAgent | None],
        'attachments': NotRequired[list[NewCommentAttachment] | None],
        'commentHtml': NotRequired[str | None],
        'commentId': NotRequired[int | None],
        'commentText': NotRequired[str | None],
        'context': NotRequired[Context | JsonObject | None],
        'createdAt': NotRequired[int | None],
        'from': Person,
        'isCommentResolverUsed': NotRequired[bool | None],
        'isCommentTextAvailable': NotRequired[bool | None],
        'lastUpdated': NotRequired[int | None],
        'taggedUserContacts': NotRequired[list[CommentContact] | None],
        'triggerActivities': NotRequired[bool | None],
        'triggerNotification': NotRequired[bool | None],
    },
)


class NewCommentAnnotation(TypedDict):
    """
    A thread as callers send it.
    """

    annotationId: NotRequired[AnnotationId | None]
    """Generated when absent; without colons."""

    assignedTo: NotRequired[Person | None]
    commentData: list[NewComment]
    """Its comments, the first one first."""

    commentType: NotRequired[CommentType | None]
    """`manual` when absent."""

    context: NotRequired[Context | JsonObject | None]
    createdAt: NotRequired[int | None]
    """Epoch milliseconds; now when absent."""

    isPageAnnotation: NotRequired[bool | None]
    """Whether it is about the page as a whole."""

    lastUpdated: NotRequired[int | None]
    """Epoch milliseconds; now when absent."""

    location: NotRequired[Location | None]
    pageInfo: NotRequired[JsonObject | None]
    positionX: NotRequired[float | None]
    positionY: NotRequired[float | None]
    priority: NotRequired[AnnotationPriorityInput | None]
    screenHeight: NotRequired[float | None]
    screenScrollHeight: NotRequired[float | None]
    screenScrollTop: NotRequired[float | None]
    screenWidth: NotRequired[float | None]
    status: NotRequired[AnnotationStatusInput | None]
    """`OPEN` when absent."""

    suggestion: NotRequired[NewSuggestion | JsonObject | None]
    """What is suggested; for the type `suggestion` only."""

    targetElement: NotRequired[JsonObject | None]
    """The element it is pinned to."""

    type: NotRequired[AnnotationType | None]
    """`comment` when absent."""

    visibility: NotRequired[NewVisibility | None]


class NewPermissions(TypedDict):
    resources: list[ResourcePermission]


NewRecording = TypedDict(
    'NewRecording',
    {
        'annotationId': NotRequired[AnnotationId | None],
        'attachments': list[NewRecordingAttachment],
        'displayName': NotRequired[str | None],
        'from': NotRequired[Person | None],
        'mode': NotRequired[RecordingMode | None],
        'recordedTime': NewRecordedTime,
        'recordingType': NotRequired[RecordingType | None],
    },
)


class Notification(TypedDict):
    """
    Spec 2.14.
    """

    actionUser: NotRequired[Person]
    context: NotRequired[AccessContext]
    """As it was sent."""

    displayBodyMessage: NotRequired[str]
    displayBodyMessageTemplate: NotRequired[str]
    displayBodyMessageTemplateData: NotRequired[JsonObject]
    displayHeadlineMessageTemplate: NotRequired[str]
    displayHeadlineMessageTemplateData: JsonObject
    id: NotificationId
    isNotificationResolverUsed: bool
    location: NotRequired[JsonObject]
    locationId: NotRequired[str]
    metadata: JsonObject
    """What the caller sent, with `apiKey`, `documentId` and `organizationId`."""

    notificationSource: NotificationSource
    notificationSourceData: JsonObject
    notifyAll: bool
    """Whether everybody is addressed who may reach the document."""

    notifyUsers: dict[str, bool]
    """Who is addressed by name, by user id."""

    notifyUsersByUserId: dict[str, bool]
    """The same."""

    persistReadForUsers: bool
    readByUserIds: list[UserId]
    targetAnnotationId: NotRequired[AnnotationId]
    timestamp: int
    """Epoch milliseconds."""


class NotificationPatch(TypedDict):
    actionUser: NotRequired[Person | None]
    displayBodyMessage: NotRequired[str | None]
    displayHeadlineMessageTemplate: NotRequired[str | None]
    displayHeadlineMessageTemplateData: NotRequired[JsonObject | None]
    id: NotificationId
    notificationSourceData: NotRequired[JsonObject | None]
    persistReadForUsers: NotRequired[bool | None]
    """Whether those who have read it still find it among their own."""

    readByUserIds: NotRequired[list[UserId] | None]
    """Who has read it."""


class NotificationPreference(TypedDict):
    config: NotificationChannels
    metadata: NotificationPreferenceScope


class NotificationService(TypedDict):
    """
    The `notificationServiceConfig` of spec 2.7; what is absent was never set.
    """

    batchConfig: NotRequired[BatchConfig]
    """Taking notifications together."""

    delayConfig: NotRequired[DelayConfig]
    """Waiting before a notification."""

    triggers: NotRequired[Triggers]
    """Which events notify, in groups `comment` and `huddle`."""


class NotificationServiceInput(TypedDict):
    """
    The `notificationServiceConfig` of spec 2.7; what is absent was never set.
    """

    batchConfig: NotRequired[BatchConfigInput | None]
    """Taking notifications together."""

    delayConfig: NotRequired[DelayConfigInput | None]
    """Waiting before a notification."""

    triggers: NotRequired[Triggers | None]
    """Which events notify, in groups `comment` and `huddle`."""


class NotificationsAddRequest(TypedDict):
    actionUser: Person
    context: NotRequired[AccessContext | None]
    createDocument: NotRequired[bool | None]
    """Whether to create the document when there is none."""

    createOrganization: NotRequired[bool | None]
    """Whether to create the organization when there is none."""

    displayBodyMessage: NotRequired[str | None]
    """Secondary message; required unless a resolver is used."""

    displayBodyMessageTemplate: NotRequired[str | None]
    displayBodyMessageTemplateData: NotRequired[JsonObject | None]
    displayHeadlineMessageTemplate: NotRequired[str | None]
    """Headline with variables in curly brackets; required unless a resolver is used."""

    displayHeadlineMessageTemplateData: NotRequired[JsonObject | None]
    documentId: DocumentId
    isNotificationResolverUsed: NotRequired[bool | None]
    """Whether the caller's client fills in the messages."""

    location: NotRequired[JsonObject | None]
    locationId: NotRequired[str | None]
    """The `id` of the location unless sent."""

    metadata: NotRequired[JsonObject | None]
    notificationId: NotRequired[NotificationId | None]
    """Generated when absent."""

    notificationSource: NotRequired[NotificationSource | None]
    notificationSourceData: NotRequired[JsonObject | None]
    notifyAll: NotRequired[bool | None]
    """Whether everybody who may reach the document is addressed, too; true unless sent."""

    notifyUsers: list[Person]
    """Who is addressed by name."""

    organizationId: OrganizationId
    targetAnnotationId: NotRequired[AnnotationId | None]
    verifyUserPermissions: NotRequired[bool | None]
    """Whether to leave out users who may not reach the document."""


class NotificationsConfigGetResult(Success):
    data: list[NotificationPreference]


class NotificationsGetResult(Success):
    data: list[Notification]
    pageToken: str | None
    """Null on the last page."""


class NotificationsTraceGetResult(Success):
    data: list[TraceRow]
    pageToken: str | None
    """Null on the last page."""


class NotificationsUpdateRequest(TypedDict):
    documentId: NotRequired[DocumentId | None]
    """Only where it is about this document."""

    locationId: NotRequired[str | None]
    """Only where it is about this place."""

    notifications: list[NotificationPatch]
    organizationId: OrganizationId
    userId: NotRequired[UserId | None]
    """Only where it is addressed to this user."""

    verifyUserPermissions: NotRequired[bool | None]
    """With `userId`: only where that user may reach the document and see the thread."""


class PermissionsAddRequest(TypedDict):
    permissions: NewPermissions
    user: PermissionUser


class PermissionsGetResult(Success):
    data: dict[str, UserPermissions]


class PermissionsRemoveRequest(TypedDict):
    permissions: StrictRemovedPermissions
    userId: UserId


class PresenceGetResult(Success):
    data: list[PresenceUser]
    pageToken: str | None
    """Null on the last page."""


class Reaction(TypedDict):
    """
    A reaction as callers see it.
    """

    annotationId: AnnotationId
    commentAnnotationId: AnnotationId
    commentId: int
    fromUsers: list[Reactor]
    icon: str
    involvedUserIds: list[UserId]
    lastUpdated: int
    """When somebody last chose it, in epoch milliseconds."""

    metadata: Whereabouts
    type: ReactionKind


Recording = TypedDict(
    'Recording',
    {
        'annotationId': AnnotationId,
        'attachments': NotRequired[list[RecordingAttachment]],
        'displayName': NotRequired[str],
        'from': NotRequired[Person],
        'lastUpdated': int,
        'latestVersion': int,
        'metadata': RecordingPlace,
        'mode': RecordingMode,
        'recordedAt': int,
        'recordedTime': NotRequired[RecordedTime],
        'recordingEditVersions': dict[str, RecordingVersion],
        'recordingType': RecordingType,
        'type': str,
    },
)


class RecordingsAddRequest(TypedDict):
    documentId: DocumentId
    organizationId: OrganizationId
    recordings: list[NewRecording]


class RecordingsGetResult(Success):
    data: list[Recording]
    pageToken: str | None
    """Null on the last page."""


UsersFound: TypeAlias = list[User] | UsersFoundMap


class UsersGetResult(Success):
    data: UsersFound
    nextPageToken: str | None
    """Null on the last page."""


class WebhookConfig(TypedDict):
    """
    Basic webhook configuration (siblings 4.1).
    """

    useWebhookService: bool
    """Service switch."""

    webhookServiceConfig: WebhookService
    """Where to send what."""


class WorkspaceApiKeyConfigGetResult(Success):
    data: ApiKeyConfig


class WorkspaceApiKeyConfigUpdateResult(Success):
    data: ApiKeyConfigChanged


class WorkspaceApiKeyCreateRequest(TypedDict):
    addLocalHostToAllowedDomains: NotRequired[bool | None]
    allowedDomains: NotRequired[list[Domain] | None]
    """Domains whose pages may use the key; all when empty."""

    apiKeyName: NotRequired[str | None]
    """`<local part of the e-mail address> Test API Key` or such when absent."""

    createAuthToken: NotRequired[bool | None]
    """Whether to create an auth token with it; false when absent."""

    emailServiceConfig: NotRequired[EmailService | None]
    enablePrivateComments: NotRequired[bool | None]
    ownerEmail: str
    persistenceDBRegion: NotRequired[str | None]
    """Where its data lies; of production keys only."""

    realtimeDBRegion: NotRequired[str | None]
    """Where its realtime data lies."""

    requireAutoOrgUser: NotRequired[bool | None]
    setDefaultEmailTriggers: NotRequired[bool | None]
    """Whether switching emails on switches the default triggers on."""

    setDefaultNotificationTriggers: NotRequired[bool | None]
    """Whether switching notifications on switches the default triggers on."""

    type: ApiKeyType
    useEmailService: NotRequired[bool | None]
    useNotificationService: NotRequired[bool | None]
    useWebhookService: NotRequired[bool | None]
    webhookServiceConfig: NotRequired[WebhookService | None]


class WorkspaceCreateResult(Success):
    data: WorkspaceCreated


class ActivitiesAddRequest(TypedDict):
    activities: list[NewActivity]
    """Of the same activity twice the later one is written."""

    documentId: DocumentId
    organizationId: OrganizationId


class ActivitiesGetResult(Success):
    data: list[Activity]
    pageToken: str | None
    """Null on the last page."""


class ActivitiesUpdateRequest(TypedDict):
    activities: list[ActivityPatch]
    organizationId: OrganizationId


class ActivityConfig(TypedDict):
    """
    Activity configuration (spec 2.8).
    """

    activityServiceConfig: ActivityService
    """Which events are logged."""


Comment = TypedDict(
    'Comment',
    {
        'agent': NotRequired[CommentAgent],
        'attachments': list[CommentAttachment],
        'commentHtml': NotRequired[str],
        'commentId': int,
        'commentText': NotRequired[str],
        'context': NotRequired[JsonObject],
        'createdAt': int,
        'editedAt': NotRequired[int],
        'from': Person,
        'isCommentResolverUsed': bool,
        'isCommentTextAvailable': bool,
        'isDraft': bool,
        'isEdited': bool,
        'lastUpdated': str,
        'reactionAnnotationIds': list[AnnotationId],
        'reactionAnnotations': list[Reaction],
        'sourceType': SourceType,
        'status': CommentStatus,
        'taggedUserContacts': list[CommentContact],
        'to': list[Person],
        'type': CommentKind,
    },
)


CommentAnnotation = TypedDict(
    'CommentAnnotation',
    {
        'agent': NotRequired[CommentAgent],
        'annotationId': AnnotationId,
        'assignedTo': NotRequired[Person],
        'commentType': CommentType,
        'comments': list[Comment],
        'commentsCount': NotRequired[int],
        'context': NotRequired[JsonObject],
        'createdAt': int,
        'from': Person,
        'hasMoreComments': NotRequired[bool],
        'involvedUserIds': list[UserId],
        'isPageAnnotation': NotRequired[bool],
        'lastUpdated': int,
        'location': NotRequired[Location],
        'mentionedUserIds': list[UserId],
        'metadata': Whereabouts,
        'pageInfo': NotRequired[JsonObject],
        'positionX': NotRequired[float],
        'positionY': NotRequired[float],
        'priority': NotRequired[AnnotationPriority],
        'resolvedByUserId': NotRequired[UserId],
        'screenHeight': NotRequired[float],
        'screenScrollHeight': NotRequired[float],
        'screenScrollTop': NotRequired[float],
        'screenWidth': NotRequired[float],
        'sourceType': SourceType,
        'status': AnnotationStatus,
        'statusUpdatedByUserId': NotRequired[UserId],
        'subscribedUsers': dict[str, AnnotationSubscription],
        'suggestion': NotRequired[Suggestion],
        'targetElement': NotRequired[JsonObject],
        'type': AnnotationType,
        'unsubscribedUsers': dict[str, Unsubscribed],
        'visibilityConfig': Visibility,
    },
)


CommentAnnotationsFoundMap: TypeAlias = dict[str, list[CommentAnnotation]]


class CommentEvent(TypedDict):
    """
    Something happened to a thread of comments.
    """

    actionType: NotRequired[str]
    """The type without what it happened to: `add`."""

    actionUser: NotRequired[Person | None]
    """Who did it; null when the caller did not say."""

    annotationId: AnnotationId
    apiKey: ApiKeyId
    commentAnnotation: NotRequired[CommentAnnotation]
    """The thread; of a deletion as it was before."""

    commentId: NotRequired[int]
    """Absent when it happened to the thread."""

    documentId: DocumentId
    metadata: NotRequired[JsonObject]
    """Names and metadata of the document and the organization, at the time of the event."""

    newPriority: NotRequired[AnnotationPriority]
    newStatus: NotRequired[AnnotationStatus]
    oldStatus: NotRequired[AnnotationStatus]
    organizationId: OrganizationId
    platform: NotRequired[str]
    """Always `sdk`."""

    source: NotRequired[str]
    """`comment`, `crdt` or `recorder`."""

    targetComment: NotRequired[Comment]
    """The comment; of a deletion as it was before."""

    truncated: NotRequired[bool]
    """True when the rest was left out because of its size."""


class CommentEventWebhook(TypedDict):
    """
    The frame of every body. One of more than 256 KiB has only ids in `data`, and `truncated`.
    """

    data: NotRequired[CommentEvent]
    """Absent once a user was erased whom it named."""

    expunged: NotRequired[bool]
    """True when a user was erased whom `data` named."""

    id: MessageId
    """The id of the message: the same in every attempt."""

    seq: NotRequired[int]
    """The number of the event in its document, from 1 without gaps."""

    timestamp: str
    """When it happened."""

    type: CommentEventWebhookType


class CommentsAddRequest(TypedDict):
    annotationId: AnnotationId
    commentData: list[NewComment]
    createDocument: NotRequired[bool | None]
    """Whether to create the document when there is none."""

    createOrganization: NotRequired[bool | None]
    """Whether to create the organization when there is none."""

    documentId: DocumentId
    organizationId: OrganizationId
    verifyUserPermissions: NotRequired[bool | None]
    """Whether authors have to have a right to the document."""


class CommentsAnnotationsAddRequest(TypedDict):
    commentAnnotations: list[NewCommentAnnotation]
    createDocument: NotRequired[bool | None]
    """Whether to create the document when there is none."""

    createOrganization: NotRequired[bool | None]
    """Whether to create the organization when there is none."""

    documentId: DocumentId
    organizationId: OrganizationId
    verifyUserPermissions: NotRequired[bool | None]
    """Whether authors have to have a right to the document."""


class CommentsGetResult(Success):
    data: list[Comment | None]
    nextPageToken: NotRequired[str]
    """Absent on the last page."""


class ConfigurationActivitiesGetResult(Success):
    data: ActivityConfig


class ConfigurationActivitiesUpdateResult(Success):
    data: ActivityConfig


class ConfigurationEmailUpdateRequest(TypedDict):
    emailServiceConfig: NotRequired[EmailService | None]
    """Members left out keep their values."""

    useEmailService: NotRequired[bool | None]
    """Service switch."""


class ConfigurationNotificationsUpdateRequest(TypedDict):
    notificationServiceConfig: NotRequired[NotificationServiceInput | None]
    """Members left out keep their values."""

    useNotificationService: NotRequired[bool | None]
    """Service switch."""


class ConfigurationWebhooksGetResult(Success):
    data: WebhookConfig


class ConfigurationWebhooksUpdateResult(Success):
    data: WebhookConfig


class EmailConfig(TypedDict):
    """
    Email configuration (spec 2.6).
    """

    emailServiceConfig: EmailService
    """How and what to send."""

    useEmailService: bool
    """Service switch."""


class NotificationConfig(TypedDict):
    """
    Notification configuration (spec 2.7).
    """

    notificationServiceConfig: NotificationService
    """Which events notify, and when."""

    useNotificationService: bool
    """Service switch."""


class UserData(TypedDict):
    """
    Up to 100 items each.
    """

    comments: list[CommentAnnotation]
    """Threads that the user wrote in or is involved in."""

    notifications: list[Notification]
    """Notifications addressed to the user by name."""

    reactions: list[Reaction]
    """Reactions that the user chose."""

    recordings: list[Recording]
    """What the user recorded."""


class UserDataGetResult(Success):
    data: UserData
    nextPageToken: str | None
    """Null when there are no more items in any of the lists."""


CommentAnnotationsFound: TypeAlias = list[CommentAnnotation | None] | CommentAnnotationsFoundMap


class CommentsAnnotationsGetResult(Success):
    data: CommentAnnotationsFound
    nextPageToken: str | None
    """Null on the last page."""


class ConfigurationEmailGetResult(Success):
    data: EmailConfig


class ConfigurationEmailUpdateResult(Success):
    data: EmailConfig


class ConfigurationNotificationsGetResult(Success):
    data: NotificationConfig


class ConfigurationNotificationsUpdateResult(Success):
    data: NotificationConfig


WebhookEvent: TypeAlias = CommentEventWebhook | EditorEventWebhook | EndpointEventWebhook | MessageEventWebhook | RecordingEventWebhook
"""The body of a webhook."""
