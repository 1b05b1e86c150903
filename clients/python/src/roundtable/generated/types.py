"""Written by clients/generate from openapi.json."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

AccessRole: TypeAlias = Literal['viewer', 'commenter', 'editor']
"""
The role of a user. A later one may do all that an earlier one may.

- `viewer`: Reads.
- `commenter`: Reads, comments and reacts.
- `editor`: Reads and writes.
"""


AccessType: TypeAlias = Literal['public', 'organizationPrivate', 'restricted']
"""
Access type of a resource.

- `public`: Every end user of the API key, whatever rights their token names.
- `organizationPrivate`: Members of the organization.
- `restricted`: Users with a right to the resource itself or a folder above it.
"""


ActionType: TypeAlias = str


ActivityFeature: TypeAlias = Literal['comment', 'reaction', 'recorder', 'crdt', 'custom']
"""
Feature of an activity.

- `custom`: A custom feature.
"""


ActivityId: TypeAlias = str


class AdvancedWebhookConfig(TypedDict):
    """
    Advanced webhook configuration. It does not exist before the first enabling.
    """

    enableDataProtection: bool
    """Stored as sent."""

    encodeData: bool
    """Whether bodies are sent as base64."""

    encryptData: bool
    """Whether bodies are encrypted."""

    isEnabled: bool
    """Whether endpoints can be managed and receive deliveries."""

    publicKey: str
    """The encryption key: an RSA public key in base64, without PEM lines; empty when unset."""


AgentAddress: TypeAlias = str


AgentAnnotationStrategy: TypeAlias = Literal['findings', 'word-level', 'page-level', 'none']


class AgentAnnotations(TypedDict):
    """
    Annotations created for findings.
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
    Required inputs.
    """

    requires: NotRequired[list[Any] | None]
    """All of these."""

    requiresOneOf: NotRequired[list[Any] | None]
    """Inputs of which one is required."""


class AgentKnowledge(TypedDict):
    """
    Knowledge from earlier runs.
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
    The agent of a call.
    """

    agentId: AgentId


AgentServiceId: TypeAlias = Literal['broken-links', 'crawler', 'screenshot', 'accessibility-checker', 'og-image-checker']


AgentSource: TypeAlias = Literal['service', 'external']
"""
Owner of an agent.

- `service`: An agent of the service: built in, or of the workspace.
- `external`: An agent unknown to the service.
"""


AgentStage: TypeAlias = Any


AgentStrategy: TypeAlias = Literal['web-page-text', 'web-page-screenshot', 'web-page-html', 'web-page-css', 'web-page-links', 'web-page-accessibility', 'computed-styles', 'robots-txt', 'sitemap-data', 'lighthouse', 'rest-api', 'none']


class AgentStylesOptions(TypedDict):
    """
    Options of the strategy `computed-styles`.
    """

    selectors: NotRequired[list[Selector] | None]


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
    """1 to 4000 characters, not blank; ignored for a built-in agent."""

    enabled: NotRequired[bool | None]
    """Whether it is active."""

    name: NotRequired[str | None]
    """1 to 1000 characters, not blank; ignored for a built-in agent."""


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
    The priority of a thread. `P0`, `P1` and `P2` need only the `id`.
    """

    color: str
    """Color of its icon."""

    id: str
    """Id of the priority."""

    lightColor: str
    """Background of its icon."""

    name: str
    """Display name."""


class AnnotationPriorityInput(TypedDict):
    """
    The priority of a thread. `P0`, `P1` and `P2` need only the `id`.
    """

    color: NotRequired[str | None]
    id: str
    lightColor: NotRequired[str | None]
    name: NotRequired[str | None]


AnnotationStatusType: TypeAlias = Literal['default', 'ongoing', 'terminal']
"""
Kind of a status.

- `default`: Initial.
- `ongoing`: In progress.
- `terminal`: Resolved.
"""


AnnotationType: TypeAlias = Literal['comment', 'suggestion']
"""
Type of a thread.

- `comment`: A comment thread.
- `suggestion`: A thread about a suggested change.
"""


class ApiKeyFeatures(TypedDict):
    """
    Features of an API key, enabled by default.
    """

    advancedQueries: bool
    """Folders can be listed."""

    userNotificationConfig: bool
    """Users can have notification preferences."""


class ApiKeyFeaturesPatch(TypedDict):
    """
    Features to switch.
    """

    advancedQueries: NotRequired[bool | None]
    """Whether folders can be listed."""

    userNotificationConfig: NotRequired[bool | None]
    """Whether users can have notification preferences."""


ApiKeyId: TypeAlias = str


class ApiKeyLimits(TypedDict):
    apiKey: ApiKeyId
    deliveriesPerSecond: int | None
    editorsPerDocument: int | None
    mailsPerDay: int | None
    readsPerSecond: int | None
    """The default of the deployment when null, here and below."""

    writesPerSecond: int | None


ApiKeyType: TypeAlias = Literal['testing', 'production']
"""
The type of a key.

- `testing`: For development.
- `production`: For production; limited in number.
"""


AttemptFailure: TypeAlias = Literal['address_refused', 'dns', 'connect', 'tls', 'no_root_certificates', 'timeout', 'protocol', 'url', 'body', 'encryption', 'signature']
"""
The reason for a missing reply.

- `address_refused`: The address is not allowed.
- `dns`: The name was not resolved.
- `connect`: The connection was refused.
- `tls`: There was no trusted encrypted connection.
- `no_root_certificates`: The system has no root certificates.
- `timeout`: The connection or the reply took too long.
- `protocol`: The connection ended early, or the reply was not HTTP.
- `url`: The URL is not callable.
- `body`: The message has no body.
- `encryption`: The payload could not be encrypted with the public key.
- `signature`: The request could not be signed.
"""


AttemptStatus: TypeAlias = Literal['success', 'failed']
"""
- `success`: The endpoint took the message.
- `failed`: The endpoint did not take the message.
"""


AttemptTrigger: TypeAlias = Literal['scheduled', 'manual']
"""
Cause of an attempt.

- `scheduled`: The schedule.
- `manual`: A caller.
"""


Channel: TypeAlias = str


CommentAgentType: TypeAlias = Literal['built-in', 'custom', 'external']
"""
Kind of an agent.

- `built-in`: A built-in agent.
- `custom`: An agent of the workspace.
- `external`: An agent unknown to the service.
"""


class CommentAnnotationAdded(TypedDict):
    """
    The outcome of one thread. A denied thread without an id of the caller's has the name `__service_denied:` and its position.
    """

    annotationId: AnnotationId
    commentIds: list[int]
    findingId: NotRequired[str]
    """The agent's name for its finding."""

    message: str
    success: bool


class CommentAnnotationCount(TypedDict):
    total: int
    unread: int


class CommentAnnotationResult(TypedDict):
    """
    Result of one item of a batch, with a message for people.
    """

    id: AnnotationId
    message: str
    success: bool


CommentEventWebhookType: TypeAlias = Literal['comment.add', 'comment.delete', 'comment.reaction_add', 'comment.reaction_delete', 'comment.update', 'comment_annotation.add', 'comment_annotation.assign', 'comment_annotation.priority_change', 'comment_annotation.status_change', 'comment_annotation.subscribe', 'comment_annotation.suggestion_accept', 'comment_annotation.suggestion_reject', 'comment_annotation.unsubscribe']


CommentKind: TypeAlias = Literal['text']


class CommentResult(TypedDict):
    """
    Result of one item of a batch, with a message for people.
    """

    id: int
    message: str
    success: bool


CommentStatus: TypeAlias = Literal['added', 'updated']


CommentType: TypeAlias = Literal['manual', 'chart', 'suggestion']
"""
Origin of a thread.

- `manual`: Added manually.
- `chart`: On a chart.
- `suggestion`: Suggestions of older clients.
"""


StatusId: TypeAlias = str


LocationId: TypeAlias = str


CommentId: TypeAlias = int


class ConfigurationAdvancedWebhooksUpdateRequest(TypedDict):
    enableDataProtection: NotRequired[bool | None]
    """Stored as sent."""

    encodeData: NotRequired[bool | None]
    """Whether bodies are sent as base64."""

    encryptData: NotRequired[bool | None]
    """Whether bodies are encrypted."""

    isEnabled: NotRequired[bool | None]
    """Whether endpoints can be managed and receive deliveries."""

    publicKey: NotRequired[str | None]
    """The encryption key: an RSA public key in base64, without PEM lines; an empty text unsets it."""


class Context(TypedDict):
    access: NotRequired[dict[str, str | float]]


class Count(TypedDict):
    count: int


class CurrentAgentVersion(TypedDict):
    """
    The number of the current version.
    """

    version: int


class DelayConfig(TypedDict):
    """
    Delay before a notification, in which the recipient may see its cause.
    """

    delaySeconds: int | None
    isEnabled: bool | None


class DelayConfigInput(TypedDict):
    """
    Delay before a notification, in which the recipient may see its cause.
    """

    delaySeconds: NotRequired[int | None]
    isEnabled: NotRequired[bool | None]


DisableReason: TypeAlias = Literal['gone', 'receiver_request', 'consecutive_failure', 'manual']
"""
Reason for disabling an endpoint.

- `gone`: Replied 410.
- `receiver_request`: Requested by the receiver.
- `consecutive_failure`: Every attempt failed for days.
- `manual`: Disabled by its owner.
"""


DisabledBy: TypeAlias = Literal['gone', 'receiver_request', 'consecutive_failure']
"""
Why the service disabled an endpoint.

- `gone`: The receiver replied 410.
- `receiver_request`: The receiver asked for it.
- `consecutive_failure`: Every attempt failed for days.
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


DropReason: TypeAlias = Literal['deleted', 'no_access', 'seen', 'service_off', 'trigger_off', 'muted', 'suppressed', 'bounced', 'no_address', 'daily_limit', 'no_public_url', 'no_sender', 'no_provider', 'no_provider_key', 'unsendable', 'rejected', 'exhausted', 'unanswered']
"""
The reason for a drop.

- `deleted`: The comment, thread, document or recipient was deleted.
- `no_access`: The recipient lost access.
- `seen`: The recipient has seen it.
- `service_off`: The service was switched off.
- `trigger_off`: The trigger of the channel was off at the event.
- `muted`: The preference of the recipient.
- `suppressed`: The address is suppressed: it bounced or complained earlier.
- `bounced`: The mail was refused.
- `no_address`: The recipient has no address.
- `daily_limit`: The API key has reached its limit of mails per day.
- `no_public_url`: The deployment has no public URL for the link to unsubscribe.
- `no_sender`: The mail has no sender.
- `no_provider`: The deployment has no mail provider.
- `no_provider_key`: The mail provider has no key.
- `unsendable`: The mail cannot be composed.
- `rejected`: The mail provider rejected it.
- `exhausted`: The mail provider did not accept it in time.
- `unanswered`: The mail provider reported no result.
"""


EditorEventWebhookType: TypeAlias = Literal['crdt.restored', 'crdt.reverted', 'crdt.update_data', 'crdt.version_added']


EditorFormat: TypeAlias = Literal['xml', 'json', 'text', 'html', 'markdown']
"""
A form in which content is shown.

- `xml`: Elements and marks; a plain string for `text`.
- `json`: ProseMirror JSON for `xml`; a delta for `text`.
- `text`: The words.
- `html`: HTML.
- `markdown`: Markdown, with HTML for what it does not have.
"""


EditorId: TypeAlias = str


class EditorResult(TypedDict):
    """
    Result of one item of a batch, with a message for people.
    """

    id: EditorId
    message: str
    success: bool


class EditorState(TypedDict):
    isComplete: bool
    """Whether that is all. Otherwise a call with the state vector of this reply gets the rest."""

    stateHash: str | None
    """SHA-256 of the state vector and the deleted ranges, in a canonical text form, to compare two replicas. Null while updates wait for missing dependencies."""

    stateVector: str
    """The state vector of the peer after applying them."""

    update: str
    """The updates that the peer lacks."""


EditorType: TypeAlias = Literal['text', 'map', 'array', 'xml']
"""
The content type of an editor.

- `text`: A string.
- `map`: An object.
- `array`: An array.
- `xml`: A string of elements.
"""


class EditorVersionContent(TypedDict):
    contentKey: str
    """The name of the shared type that holds the content."""

    data: Any
    """A string, an object or an array, according to `type` and `format`."""

    lost: list[str]
    """The parts that the form cannot hold, such as `mark bold`; at most 50."""

    type: EditorType


EditorVersionKind: TypeAlias = Literal['edited', 'added', 'restored', 'reverted']
"""
The kind of an edit, or of a version of an editor.

- `edited`: Edits.
- `added`: A version that was added.
- `restored`: The editor became an earlier version again.
- `reverted`: Edits of a user were undone.
"""


class EditorVersionState(TypedDict):
    content: EditorVersionContent | None
    """Null without `format`, and when nothing is under `contentKey`."""

    isComplete: bool
    """Whether that is all. Otherwise a call with the state vector of this reply gets the rest."""

    stateVector: str
    """The state vector of the peer after applying them."""

    update: str
    """The updates that the peer lacks."""


EmailType: TypeAlias = Literal['default', 'thirdparty', 'custom']
"""
The sender of mails.

- `default`: The deployment itself.
- `thirdparty`: The configured provider.
- `custom`: Set by the first enabling; the same as `default`.
"""


EndpointEventWebhookType: TypeAlias = Literal['endpoint.created', 'endpoint.deleted', 'endpoint.disabled', 'endpoint.failing', 'endpoint.updated']


EndpointId: TypeAlias = str


EndpointUid: TypeAlias = str


EndpointUrl: TypeAlias = str


EntityId: TypeAlias = str


class ErasureStatus(TypedDict):
    isDeleteCompleted: bool
    """Whether all users are erased. Remaining traces expire: events with recipients after 90 days, backups after 35; live state and the content of editors stay as callers wrote them."""

    lastTaskCompletedTime: int | None
    """Time of the last erasure, in epoch milliseconds; null before the first one."""

    tasksLeft: int
    """Users who are not erased yet: all, until the last step of the job, which is for all of them."""


ErrorStatus: TypeAlias = Literal['INVALID_ARGUMENT', 'FAILED_PRECONDITION', 'PERMISSION_DENIED', 'NOT_FOUND', 'ALREADY_EXISTS', 'ABORTED', 'RESOURCE_EXHAUSTED', 'INTERNAL', 'UNAVAILABLE']


EventAction: TypeAlias = Literal['add', 'assign', 'delete', 'done', 'priority_change', 'reaction_add', 'reaction_delete', 'restored', 'reverted', 'status_change', 'subscribe', 'suggestion_accept', 'suggestion_reject', 'unsubscribe', 'update', 'updateData', 'version_added']


EventSource: TypeAlias = Literal['comment', 'crdt', 'recorder']


EventType: TypeAlias = str


FindingSeverity: TypeAlias = Literal['critical', 'high', 'medium', 'low', 'info']


FindingType: TypeAlias = Literal['text', 'pin', 'page']


FolderId: TypeAlias = str


class FolderPatch(TypedDict):
    folderId: FolderId
    folderName: NotRequired[str | None]
    parentFolderId: NotRequired[FolderId | None]
    """The new parent folder; `root` for the top."""


GroupId: TypeAlias = str


Instant: TypeAlias = int | str


IssueCode: TypeAlias = Literal['invalid_json', 'required', 'duplicate', 'invalid_type', 'invalid_value', 'unknown_member']
"""
Kind of an issue.

- `invalid_json`: The body is not JSON.
- `required`: The member is not sent.
- `duplicate`: The member is sent twice.
- `invalid_type`: The value is of another type.
- `invalid_value`: The value is none of those that are allowed here.
- `unknown_member`: The operation deletes something and has no such member.
"""


ItemErrorCode: TypeAlias = Literal['not-found', 'already-exists', 'invalid-argument', 'resource-exhausted', 'internal']
"""
Error code of an item.

- `not-found`: A resource of the item does not exist; not safe to retry.
- `already-exists`: The resource exists already.
- `invalid-argument`: The state does not allow the item.
- `resource-exhausted`: A limit is reached.
- `internal`: A failure of the server; safe to retry.
"""


class ItemId(TypedDict):
    """
    The id of an item in Yjs.
    """

    client: int
    """The client that wrote it."""

    clock: int
    """Number of the item among those of the client."""


class ItemOutcome(TypedDict):
    """
    Result of one item of a batch, with a message for people.
    """

    message: str
    success: bool


JobId: TypeAlias = str


JsonObject: TypeAlias = dict[str, Any]
"""
Any JSON object.
"""


LiveStateDataId: TypeAlias = str


class Location(TypedDict):
    id: str | float


MarkName: TypeAlias = str


class MaskedAiKey(TypedDict):
    """
    A masked secret.
    """

    displayText: str


class MaskedAiKeys(TypedDict):
    anthropic: NotRequired[MaskedAiKey]
    gemini: NotRequired[MaskedAiKey]
    openai: NotRequired[MaskedAiKey]


McpTransport: TypeAlias = Literal['http']


class MentionedUserGroup(TypedDict):
    """
    A mentioned user group.
    """

    groupId: GroupId
    groupName: NotRequired[str]
    organizationUserGroupId: GroupId


MessageEventWebhookType: TypeAlias = Literal['message.attempt.exhausted', 'message.attempt.failing', 'message.attempt.recovered']


MessageId: TypeAlias = str


class NewCommentAttachment(TypedDict):
    """
    An attachment as sent.
    """

    attachmentId: NotRequired[int | None]
    """Number of the attachment; generated when absent."""

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
    """The access type; inherited from the parent when absent."""

    folderId: FolderId
    folderName: NotRequired[str | None]
    parentFolderId: NotRequired[FolderId | None]
    """The parent folder; `root` when absent."""


class NewUserGroup(TypedDict):
    groupId: GroupId
    groupName: NotRequired[str | None]


NotificationChannel: TypeAlias = Literal['inbox', 'email', 'chat']
"""
A channel of a notification.

- `inbox`: In the product.
- `email`: By mail.
- `chat`: By chat.
"""


class NotificationCount(TypedDict):
    """
    How many notifications of a user are unread and unseen.
    """

    hasMore: bool
    """Whether there are older notifications that are not counted."""

    unread: int
    """Notifications that the user has not read."""

    unseen: int
    """Unread ones that came after the user saw the inbox last."""


NotificationId: TypeAlias = str


NotificationLevel: TypeAlias = Literal['ALL', 'MINE', 'NONE']
"""
The activities that a user wants to be notified of.

- `ALL`: Everything.
- `MINE`: Only activities that involve the user.
- `NONE`: Nothing.
"""


class NotificationResult(TypedDict):
    """
    Result of one item of a batch, with a message for people.
    """

    id: NotificationId
    message: str
    success: bool


NotificationSource: TypeAlias = Literal['custom', 'comment', 'huddle', 'crdt', 'recorder']
"""
Source of a notification.

- `custom`: The caller's product.
- `comment`: A thread of comments.
- `huddle`: A huddle.
- `crdt`: The data of an editor.
- `recorder`: A recording.
"""


class NotificationWindow(TypedDict):
    """
    A batch window with its maximum number of activities.
    """

    batchWindowSeconds: int | None
    isEnabled: bool | None
    maxActivities: int | None


class NotificationWindowInput(TypedDict):
    """
    A batch window with its maximum number of activities.
    """

    batchWindowSeconds: NotRequired[int | None]
    isEnabled: NotRequired[bool | None]
    maxActivities: NotRequired[int | None]


class OperatorApiKeyLimitsUpdateRequest(TypedDict):
    apiKey: ApiKeyId
    deliveriesPerSecond: NotRequired[int | None]
    """Webhook deliveries per second on average, for events with more than ten possible endpoints; ten times as many in a burst. Further ones wait."""

    editorsPerDocument: NotRequired[int | None]
    """Editors of one document; 1,000 when never set."""

    mailsPerDay: NotRequired[int | None]
    """Mails that the deployment sends per day of UTC."""

    readsPerSecond: NotRequired[int | None]
    """Read calls per second on average; ten times as many in a burst."""

    writesPerSecond: NotRequired[int | None]
    """Calls per second that may write, on average; ten times as many in a burst."""


class OperatorAuthTokenRotateRequest(TypedDict):
    gracePeriodSeconds: int
    """How long the old token stays valid, in seconds. Required, so that an empty call cannot revoke it."""


class OperatorDeletionsRepairRequest(TypedDict):
    start: NotRequired[str | None]
    """Where to continue; at the beginning when absent."""


class OperatorSecretsResealRequest(TypedDict):
    start: NotRequired[str | None]
    """Where to continue; at the beginning when absent."""


OrganizationId: TypeAlias = str


class OrganizationPatch(TypedDict):
    organizationId: OrganizationId
    organizationName: NotRequired[str | None]


class OrganizationResult(TypedDict):
    code: NotRequired[ItemErrorCode]
    id: OrganizationId
    message: str
    success: bool


class OrganizationsDeleteRequest(TypedDict):
    organizationIds: list[OrganizationId]


class OrganizationsDisableRequest(TypedDict):
    disabled: bool
    """Whether the end users of the organizations are locked out."""

    organizationIds: list[OrganizationId]


class OrganizationsGetRequest(TypedDict):
    organizationIds: NotRequired[list[OrganizationId] | None]
    """Only these organizations; all when absent or empty."""

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
Display mode.

- `floating`: In a player that floats above the document.
- `thread`: In a thread of comments.
"""


class RecordingResult(TypedDict):
    """
    Result of one item of a batch, with a message for people.
    """

    annotationId: AnnotationId
    message: str
    success: bool


RecordingType: TypeAlias = Literal['audio', 'video', 'screen']
"""
Type of the recording.

- `audio`: Sound.
- `video`: A camera.
- `screen`: A screen.
"""


class RecordingsDeleteRequest(TypedDict):
    organizationId: OrganizationId
    recordingIds: list[AnnotationId]


class RecordingsGetRequest(TypedDict):
    documentId: NotRequired[DocumentId | None]
    """Only recordings of this document."""

    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    """100 when absent."""

    pageToken: NotRequired[str | None]
    recordingIds: NotRequired[list[AnnotationId] | None]
    """Only these recordings; no filter when absent or empty."""


class RecoveryStarted(TypedDict):
    endpointId: EndpointId
    since: str


class RelativePosition(TypedDict):
    """
    A relative position, as Yjs writes it as JSON: it has `item`, `tname` or `type`. Of several the first one counts.
    """

    assoc: NotRequired[int | None]
    """A negative number: behind `item`, or the beginning of `tname` or `type`; 0 when absent."""

    item: NotRequired[ItemId | None]
    """The character or the node at the position."""

    tname: NotRequired[str | None]
    """The name of the root of which this is the end, or the beginning."""

    type: NotRequired[ItemId | None]
    """The node of which this is the end, or the beginning."""


class RepairProgress(TypedDict):
    items: int
    """Items that were looked at."""

    listed: int
    """Members of user groups that were added to their memberships, from which rights follow."""

    next: str | None
    """Null at the end."""

    repeated: int
    """Deletions that are repeated."""

    unnamed: int
    """Deletions whose resource no item names; what they left stays."""


class ResealProgress(TypedDict):
    next: str | None
    """Null at the end."""

    resealed: int
    """Resealed secrets."""

    unopened: int
    """Secrets that no key of the deployment opens; they read as unset."""


class ResendStarted(TypedDict):
    endpointId: EndpointId
    messageId: MessageId


ResourceId: TypeAlias = str


ResourceType: TypeAlias = Literal['organization', 'folder', 'document']


class ScheduleTestClockAdvanceRequest(TypedDict):
    seconds: int
    """Seconds to advance, at most a year."""


Secret: TypeAlias = str


SentEditorFormat: TypeAlias = Literal['xml', 'json', 'html', 'markdown']
"""
A form in which content is sent.

- `xml`: Elements and marks; a plain string for `text`.
- `json`: ProseMirror JSON for `xml`; a delta for `text`.
- `html`: HTML, for `xml`.
- `markdown`: Markdown, for `xml`.
"""


SortOrder: TypeAlias = Literal['asc', 'desc']


SourceType: TypeAlias = Literal['rest-api', 'agent']
"""
Kind of author.

- `rest-api`: A server of the caller's.
- `agent`: An agent.
"""


class StrictResourcePermission(TypedDict):
    accessRole: NotRequired[AccessRole | None]
    """The granted role; `editor` when absent."""

    expiresAt: NotRequired[int | None]
    """Expiry in epoch seconds; never when absent."""

    id: ResourceId
    """Id of the resource."""

    organizationId: NotRequired[OrganizationId | None]
    """Organization of the resource; required for folders and documents."""

    type: ResourceType
    """Kind of the resource."""


SubscriptionType: TypeAlias = Literal['auto', 'manual']
"""
Origin of a subscription.

- `auto`: As the author, or by a mention.
- `manual`: Explicitly.
"""


class Success(TypedDict):
    """
    Members of every result.
    """

    message: str
    """Text for people."""

    status: Literal['success']


SuggestionStatus: TypeAlias = Literal['pending', 'accepted', 'rejected']
"""
The outcome of a suggestion.

- `pending`: Undecided.
- `accepted`: Accepted.
- `rejected`: Rejected.
"""


class TestClock(TypedDict):
    now: int
    """The new time of the key, in epoch milliseconds."""


class TokenUserProperties(TypedDict):
    email: str
    isAdmin: NotRequired[bool | None]
    name: str
    organizationId: NotRequired[OrganizationId | None]


class TokenUserPropertiesV1(TypedDict):
    email: NotRequired[str | None]
    isAdmin: NotRequired[bool | None]
    name: NotRequired[str | None]
    organizationId: OrganizationId


TraceState: TypeAlias = Literal['pending', 'delivered', 'dropped']
"""
Delivery state of a notification.

- `pending`: Pending.
- `delivered`: Delivered.
- `dropped`: Dropped.
"""


TriggerSwitchMap: TypeAlias = dict[str, bool]


class UserDataDeleteStatusRequest(TypedDict):
    jobId: JobId


class UserDataDeleteStatusResult(Success):
    data: ErasureStatus


class UserGroupMemberResult(TypedDict):
    """
    Result of one item of a batch, with a message for people.
    """

    message: str
    organizationUserGroupId: GroupId
    success: bool


class UserGroupMemberResults(Success):
    data: dict[str, UserGroupMemberResult]


class UserGroupResult(TypedDict):
    """
    Result of one item of a batch, with a message for people.
    """

    id: GroupId
    message: str
    success: bool


class UserGroupsAddRequest(TypedDict):
    createOrganization: NotRequired[bool | None]
    """Whether to create a missing organization."""

    organizationId: OrganizationId
    organizationUserGroups: list[NewUserGroup]


class UserGroupsAddResult(Success):
    data: dict[str, UserGroupResult]


class UserGroupsDeleteRequest(TypedDict):
    organizationId: OrganizationId
    organizationUserGroupIds: list[GroupId]


class UserGroupsGetRequest(TypedDict):
    organizationId: OrganizationId
    organizationUserGroupIds: NotRequired[list[GroupId] | None]
    """Only these groups; all when empty."""

    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]


UserId: TypeAlias = str


class UserResult(TypedDict):
    """
    Result of one item of a batch, with a message for people.
    """

    id: UserId
    message: str
    success: bool


class UserResults(Success):
    data: dict[str, UserResult]


class UserToken(TypedDict):
    """
    The token.
    """

    expiresIn: int
    """Lifetime of the token in seconds."""

    token: str


class UsersCountRequest(TypedDict):
    allDocuments: NotRequired[bool | None]
    """Users of all documents; not together with `documentId`."""

    documentId: NotRequired[DocumentId | None]
    """Users of this document."""

    organizationId: OrganizationId
    userId: NotRequired[UserId | None]
    """Only this user."""


class UsersDeleteRequest(TypedDict):
    documentId: NotRequired[DocumentId | None]
    """Removes them only from this document."""

    folderId: NotRequired[FolderId | None]
    """Removes them only from this folder."""

    organizationId: OrganizationId
    userIds: list[UserId]


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
    """Only users of the organization who are in one of these groups."""

    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]
    prefix: NotRequired[str | None]
    """Only users whose name has a word that begins with this text."""

    userIds: NotRequired[list[UserId] | None]
    """Only these users."""


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


VersionId: TypeAlias = str


VisibilityType: TypeAlias = Literal['public', 'organizationPrivate', 'restricted']
"""
Visibility.

- `public`: All users with access to the document.
- `organizationPrivate`: Members of the named organizations.
- `restricted`: The named users.
"""


class WebhookEndpoint(TypedDict):
    """
    An endpoint; unset members are null.
    """

    channels: list[Channel] | None
    """Subscribed channels; all when null."""

    createdAt: str
    description: str | None
    disabled: bool
    """Whether it receives no deliveries."""

    disabledAt: str | None
    """When the service disabled it; null as above."""

    disabledReason: DisabledBy | None
    """Why the service disabled it; null while it is enabled, and when a call disabled it."""

    filterTypes: list[EventType] | None
    """Subscribed event types; all when null."""

    id: EndpointId
    rateLimit: int | None
    """Deliveries per second; unlimited when null."""

    uid: EndpointUid | None
    updatedAt: str
    url: EndpointUrl


class WebhookEndpointDeleted(TypedDict):
    deleted: bool
    """Always true."""

    endpointId: EndpointId


WebhookEndpointMetadata: TypeAlias = dict[str, str]
"""
Custom members of an endpoint: texts by name, at most 4096 bytes of JSON.
"""


class WebhookEndpointResult(Success):
    data: WebhookEndpoint


class WebhookEndpoints(TypedDict):
    done: bool
    """Whether there are no older endpoints."""

    endpoints: list[WebhookEndpoint]
    iterator: str | None
    """The next page, of older endpoints; null when done."""

    prevIterator: str | None
    """The previous page, of newer endpoints, sent as `iterator`; null on the first page."""


class WebhookEndpointsCreateRequest(TypedDict):
    channels: NotRequired[list[Channel] | None]
    """Channels to subscribe to, each once; all when absent."""

    description: NotRequired[str | None]
    disabled: NotRequired[bool | None]
    """Whether it receives no deliveries; false when absent."""

    filterTypes: NotRequired[list[EventType] | None]
    """Event types to subscribe to, each once; all when absent."""

    metadata: NotRequired[WebhookEndpointMetadata | None]
    """Stored with the endpoint and not returned."""

    rateLimit: NotRequired[int | None]
    """Deliveries per second."""

    uid: NotRequired[EndpointUid | None]
    """A name of your own for the endpoint, unique within the API key; it cannot be changed."""

    url: EndpointUrl
    """The URL that receives deliveries."""


class WebhookEndpointsDeleteRequest(TypedDict):
    endpointId: EndpointId


class WebhookEndpointsDeleteResult(Success):
    data: WebhookEndpointDeleted


class WebhookEndpointsGetRequest(TypedDict):
    iterator: NotRequired[str | None]
    """The `iterator` or the `prevIterator` of another page; the newest endpoints when absent."""

    limit: NotRequired[int | None]
    """Page size; 50 when absent."""


class WebhookEndpointsGetResult(Success):
    data: WebhookEndpoints


class WebhookEndpointsSecretGetRequest(TypedDict):
    endpointId: EndpointId


class WebhookEndpointsSecretRotateRequest(TypedDict):
    endpointId: EndpointId
    gracePeriodSeconds: NotRequired[int | None]
    """How long the old secret stays valid, in seconds; a day when absent."""


class WebhookEndpointsUpdateRequest(TypedDict):
    channels: NotRequired[list[Channel] | None]
    """Channels to subscribe to, each once; all when null."""

    description: NotRequired[str | None]
    """Null unsets it."""

    disabled: NotRequired[bool | None]
    """Whether it receives no deliveries."""

    endpointId: EndpointId
    filterTypes: NotRequired[list[EventType] | None]
    """Event types to subscribe to, each once; all when null."""

    metadata: NotRequired[WebhookEndpointMetadata | None]
    """Stored with the endpoint and not returned."""

    rateLimit: NotRequired[int | None]
    """Deliveries per second; unlimited when null."""

    url: NotRequired[EndpointUrl | None]
    """The URL that receives deliveries."""


class WebhookMessage(TypedDict):
    """
    A message.
    """

    channels: list[Channel]
    """The channels of the event, as endpoints name them in `channels`."""

    id: MessageId
    payload: Any
    """The body of the webhook. If it named an erased user, `expunged` is true and only ids, type and time are left."""

    timestamp: str
    """Time of the event."""

    type: str
    """The type of the event."""


class WebhookMessages(TypedDict):
    done: bool
    """Whether there are no older messages."""

    iterator: str | None
    """The next page, of older messages; null when done."""

    messages: list[WebhookMessage]
    prevIterator: str | None
    """The previous page, of newer messages, sent as `iterator`; null on the first page."""


class WebhookSecret(TypedDict):
    """
    The signing secret of an endpoint.
    """

    endpointId: EndpointId
    secret: Secret
    """`whsec_` and base64."""


class WebhookSecretResult(Success):
    data: WebhookSecret


class Whereabouts(TypedDict):
    """
    Where something is.
    """

    apiKey: NotRequired[ApiKeyId]
    """The tenant; none for end users."""

    documentId: DocumentId
    """The document."""

    organizationId: OrganizationId
    """The organization."""


class WorkspaceApiKeyConfigUpdateRequest(TypedDict):
    aiModelApiKey: NotRequired[list[AiProviderKey] | None]
    """Sealed at rest."""

    anchorMark: NotRequired[MarkName | None]
    """The mark that the service writes into rich texts for anchors of threads; an empty text: none, as initially. The schema of every editor has to have it."""

    defaultDocumentAccessType: NotRequired[AccessType | None]
    """The default for documents without an access type of their own or of their folders. With `public`, every end user of the API key reads and edits them, in every organization."""

    enablePrivateComments: NotRequired[bool | None]
    """Whether end users may begin private threads."""

    enableThreadEditing: NotRequired[bool | None]
    """Whether end users may assign and edit threads."""

    features: NotRequired[ApiKeyFeaturesPatch | None]
    publicAccessRole: NotRequired[AccessRole | None]
    """The role of end users without a right in a `public` document or folder. Initially `editor`."""

    requireAutoOrgUser: NotRequired[bool | None]
    """Whether an end user whose token names an organization, without `expiresAt`, becomes its member with the first access."""

    requireJwtToken: NotRequired[bool | None]
    """Whether clients must present end-user tokens."""


class WorkspaceApiKeyDeleteRequest(TypedDict):
    apiKey: ApiKeyId


class WorkspaceApiKeyUpdateRequest(TypedDict):
    apiKey: ApiKeyId
    apiKeyName: NotRequired[str | None]
    disabled: NotRequired[bool | None]
    """Whether calls with it are refused."""


class WorkspaceApiKeysGetRequest(TypedDict):
    apiKeys: NotRequired[list[ApiKeyId] | None]
    """Only these keys; all when absent or empty."""

    pageSize: NotRequired[int | None]
    """100 when absent."""

    pageToken: NotRequired[str | None]


class WorkspaceAuthTokenResetRequest(TypedDict):
    apiKey: ApiKeyId
    gracePeriodSeconds: NotRequired[int | None]
    """How long old tokens stay valid, in seconds; 0 when absent, 604800 at most."""


class WorkspaceAuthTokensGetRequest(TypedDict):
    apiKey: ApiKeyId


class WorkspaceDomainsAddRequest(TypedDict):
    domains: list[Domain]
    """Hosts, URLs, or `*.` and a suffix; scheme, `www.`, port and path are ignored."""


class WorkspaceDomainsAddResult(Success):
    data: DomainsAdded


class WorkspaceDomainsDeleteRequest(TypedDict):
    domains: list[Domain]
    """Hosts, URLs, or `*.` and a suffix; scheme, `www.`, port and path are ignored."""


class WorkspaceDomainsDeleteResult(Success):
    data: DomainsRemoved


class WorkspaceDomainsGetResult(Success):
    data: AllowedDomains


WorkspaceId: TypeAlias = str


class WorkspaceOwner(TypedDict):
    """
    The owner of a workspace in replies.
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
The plan of a workspace; production keys need `paid`.

- `free`: Testing keys only.
- `paid`: Production keys, too.
"""


class WorkspaceSettings(TypedDict):
    id: WorkspaceId
    maxProductionKeys: int
    maxTestingKeys: int
    maxWebhookEndpoints: int
    name: str
    plan: WorkspacePlan
    productionKeys: int
    """Number of production keys."""

    selfServeProductionKeys: bool
    testingKeys: int
    """Number of testing keys."""


class WorkspaceTokenRotated(TypedDict):
    authToken: str
    """Shown only once."""

    id: WorkspaceId


class AccessContext(TypedDict):
    """
    Access information of the caller's product: stored and shown, without effect, because users have no access context.
    """

    access: NotRequired[JsonObject]
    """Values by field."""


class ActivitiesAdded(TypedDict):
    activities: dict[str, ItemOutcome]
    """The outcome of each activity."""

    message: str
    success: bool
    """Whether all entries succeeded."""


class ActivitiesDeleteRequest(TypedDict):
    activityIds: NotRequired[list[ActivityId] | None]
    """Only these activities."""

    documentId: NotRequired[DocumentId | None]
    """Only activities of this document. Recent ones may be missed."""

    organizationId: OrganizationId
    targetEntityId: NotRequired[EntityId | None]
    """Only activities about this target. Recent ones may be missed."""


class ActivitiesDeleteResult(Success):
    data: dict[str, ItemOutcome]
    hasMore: bool
    """Whether there may be more to delete."""


class ActivitiesGetRequest(TypedDict):
    actionTypes: NotRequired[list[ActionType] | None]
    """Only activities with these actions; no filter when absent or empty."""

    activityIds: NotRequired[list[ActivityId] | None]
    """Only these activities; no filter when absent or empty."""

    documentId: NotRequired[DocumentId | None]
    """Only activities of this document."""

    featureTypes: NotRequired[list[ActivityFeature] | None]
    """Only activities of these features; no filter when absent or empty."""

    order: NotRequired[SortOrder | None]
    """By time; `desc` when absent."""

    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]
    targetEntityId: NotRequired[EntityId | None]
    """Only activities about this target."""

    userId: NotRequired[UserId | None]
    """Only activities of this user."""


ActivityPatchChanges: TypeAlias = dict[str, ValueChangeInput]


class AdvancedWebhookConfigResult(Success):
    data: AdvancedWebhookConfig


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
    """Whether it is enabled; the default unless an update changed it."""

    id: str
    """Id of the agent, as in `agentId`."""

    lastUpdated: NotRequired[int]
    """Epoch milliseconds."""

    managedBy: AgentManager
    metadata: NotRequired[JsonObject]
    """Custom members."""

    name: str
    system: NotRequired[bool]
    """True."""

    version: NotRequired[int]
    """The current version."""


class AgentAiConfig(TypedDict):
    """
    The model of the agent.
    """

    maxToolTurns: NotRequired[int]
    """8 when absent."""

    model: NotRequired[str | None]
    """Accepted and not stored."""

    provider: NotRequired[AgentProvider | None]


class AgentAuth(TypedDict):
    """
    Authorization of a call. Tokens, passwords and header values are sealed at rest.
    """

    type: AgentAuthType


class AgentContextField(TypedDict):
    """
    A field that the user fills in.
    """

    id: str
    required: NotRequired[bool | None]
    title: str
    type: AgentFieldType


class AgentCrossPage(TypedDict):
    """
    Comparison of several pages.
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


class AgentEndpointsOptions(TypedDict):
    """
    Options of the strategy `rest-api`.
    """

    endpoints: NotRequired[list[AgentEndpoint | JsonObject] | None]


class AgentInput(TypedDict):
    """
    Input of each run.
    """

    inputRequirements: NotRequired[AgentInputRequirements | JsonObject | None]
    """Preconditions of the input."""

    userContextFields: NotRequired[list[AgentContextField | JsonObject] | None]
    """Fields that the user fills in."""

    variableKeys: NotRequired[list[str] | None]
    """Names of variables."""


class AgentPostProcess(TypedDict):
    """
    Processing of findings; stages are on unless switched off.
    """

    analytics: NotRequired[AgentStage | None]
    annotations: NotRequired[AgentAnnotations | JsonObject | None]
    customProcessors: NotRequired[list[Any] | None]
    deletePreviousSuggestions: NotRequired[AgentStage | None]
    guardrails: NotRequired[AgentStage | None]
    matchAndMerge: NotRequired[Any]
    """Accepted and not stored."""


class AgentReason(TypedDict):
    """
    The reason for an agent's comment. Further members are stored.
    """

    confidence: NotRequired[int | None]
    description: str
    findingId: NotRequired[str | None]
    """The agent's name for its finding."""

    findingType: NotRequired[FindingType | None]
    severity: FindingSeverity
    source: NotRequired[ReasonSource | None]
    title: str


class AgentReferenceResult(Success):
    data: AgentReference


class AgentScope(TypedDict):
    """
    Pages that an agent runs on.
    """

    crossPage: NotRequired[AgentCrossPage | JsonObject | None]
    """Comparison of several pages."""


AgentStrategyOptions = TypedDict(
    'AgentStrategyOptions',
    {
        'computed-styles': NotRequired[AgentStylesOptions | JsonObject | None],
        'rest-api': NotRequired[AgentEndpointsOptions | JsonObject | None],
    },
)


class AgentSummary(TypedDict):
    """
    The identity of an agent.
    """

    agentId: str
    createdAt: NotRequired[int]
    """Epoch milliseconds."""

    description: str
    enabled: bool
    essentialDefault: NotRequired[bool]
    """Whether it is enabled; the default unless an update changed it."""

    executionCount: int
    """Number of runs."""

    id: str
    """Id of the agent, as in `agentId`."""

    lastExecutedAt: int | None
    """Epoch milliseconds; null before the first run."""

    lastUpdated: NotRequired[int]
    """Epoch milliseconds."""

    managedBy: AgentManager
    metadata: NotRequired[JsonObject]
    """Custom members."""

    name: str
    system: NotRequired[bool]
    """True."""

    version: NotRequired[int]
    """The current version."""


class AgentsGetRequest(TypedDict):
    agentId: NotRequired[AgentId | None]
    """Only this agent."""

    filter: NotRequired[AgentFilter | None]
    """Kind of the agents to list; all when absent. Ignored with `agentId`."""

    groupId: NotRequired[ResourceId | None]
    """Only agents of this group. There are no groups yet."""


class AgentsVersionsListResult(Success):
    data: AgentVersions


class AnnotationStatus(TypedDict):
    """
    The status of a thread. `OPEN`, `IN_PROGRESS` and `RESOLVED` need only the `id`; others require `name` and `type` as well, and have the colors of the default status of their type unless sent.
    """

    color: str
    """Color of its icon."""

    iconUrl: NotRequired[str]
    """URL of the icon."""

    id: str
    """Id of the status."""

    lightColor: str
    """Background of its icon."""

    name: str
    """Display name."""

    svg: NotRequired[str]
    """The icon itself."""

    type: AnnotationStatusType
    """Kind of the status."""


class AnnotationStatusInput(TypedDict):
    """
    The status of a thread. `OPEN`, `IN_PROGRESS` and `RESOLVED` need only the `id`; others require `name` and `type` as well, and have the colors of the default status of their type unless sent.
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
    An API key in a list.
    """

    apiKeyName: str
    disabled: NotRequired[bool]
    """Whether calls with the key are refused; absent when they are not."""

    id: ApiKeyId
    type: ApiKeyType


class ApiKeyConfigChanged(TypedDict):
    aiModelsConfig: NotRequired[MaskedAiKeys]
    anchorMark: NotRequired[MarkName]
    defaultDocumentAccessType: NotRequired[AccessType]
    enablePrivateComments: NotRequired[bool]
    enableThreadEditing: NotRequired[bool]
    features: NotRequired[ApiKeyFeaturesPatch]
    publicAccessRole: NotRequired[AccessRole]
    requireAutoOrgUser: NotRequired[bool]
    requireJwtToken: NotRequired[bool]


class ApiKeyCreated(TypedDict):
    apiKey: ApiKeyId


class AuthToken(TypedDict):
    """
    An auth token.
    """

    domains: list[Domain]
    """Allowed domains; may be empty."""

    expiresAt: NotRequired[int]
    """Expiry in epoch milliseconds; absent for the current token."""

    name: str
    token: str


class AuthTokenReset(TypedDict):
    apiKey: ApiKeyId
    newAuthToken: AuthToken


class AuthTokens(TypedDict):
    apiKey: ApiKeyId
    authTokens: list[AuthToken]
    """Empty for a key without tokens."""


class BatchConfig(TypedDict):
    """
    Batching of notifications, by document and by user.
    """

    document: NotRequired[NotificationWindow]
    """The window of a document."""

    user: NotRequired[NotificationWindow]
    """The window of a user."""


class BatchConfigInput(TypedDict):
    """
    Batching of notifications, by document and by user.
    """

    document: NotRequired[NotificationWindowInput | None]
    """The window of a document."""

    user: NotRequired[NotificationWindowInput | None]
    """The window of a user."""


class CommentAgent(TypedDict):
    """
    The agent that wrote a comment.
    """

    agentId: str
    """The agent."""

    agentName: NotRequired[str]
    """Display name."""

    agentSource: AgentSource
    """Owner of the agent."""

    agentType: CommentAgentType
    """Kind of the agent."""

    executionId: NotRequired[str]
    """The run in which it wrote the comment."""

    reason: AgentReason
    """The reason for its comment."""

    url: NotRequired[str]
    """The page it visited."""


CommentAnchor = TypedDict(
    'CommentAnchor',
    {
        'editorId': EditorId,
        'from': RelativePosition,
        'mark': MarkName,
        'to': RelativePosition,
    },
)


class CommentAnnotationResults(Success):
    data: dict[str, CommentAnnotationResult]


class CommentAttachment(TypedDict):
    """
    An attached file.
    """

    attachmentId: int
    """Number of the attachment, unique in the thread."""

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


class CommentResults(Success):
    data: dict[str, CommentResult]


class CommentsAddResult(Success):
    data: list[int]


class CommentsAnnotationsAddResult(Success):
    data: dict[str, CommentAnnotationAdded]


class CommentsAnnotationsCountRequest(TypedDict):
    documentIds: list[DocumentId]
    organizationId: OrganizationId
    statusIds: NotRequired[list[StatusId] | None]
    """Only threads with these statuses."""

    userId: UserId


class CommentsAnnotationsCountResult(Success):
    data: dict[str, CommentAnnotationCount]


class CommentsAnnotationsGetRequest(TypedDict):
    agentComments: NotRequired[bool | None]
    """Only comments of agents."""

    agentId: NotRequired[str | None]
    """Only threads of this agent; at most one member may filter by agent."""

    agentSource: NotRequired[AgentSource | None]
    agentSuggestions: NotRequired[bool | None]
    """Only suggestions of agents."""

    agentType: NotRequired[CommentAgentType | None]
    annotationIds: NotRequired[list[AnnotationId] | None]
    createdAfter: NotRequired[int | None]
    createdBefore: NotRequired[int | None]
    documentId: NotRequired[DocumentId | None]
    documentIds: NotRequired[list[DocumentId] | None]
    """Threads of several documents."""

    executionId: NotRequired[str | None]
    folderId: NotRequired[FolderId | None]
    """Threads of the documents in this folder; `root` for documents in none."""

    groupByDocumentId: NotRequired[bool | None]
    """Whether to reply with a map by document, without unknown ids."""

    locationIds: NotRequired[list[LocationId] | None]
    mentionedUserIds: NotRequired[list[UserId] | None]
    order: NotRequired[SortOrder | None]
    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]
    resolvedBy: NotRequired[UserId | None]
    """Only threads resolved by this user."""

    statusIds: NotRequired[list[StatusId] | None]
    updatedAfter: NotRequired[int | None]
    """Epoch milliseconds."""

    updatedBefore: NotRequired[int | None]
    userIds: NotRequired[list[UserId] | None]
    """Only threads of these authors."""


class CommentsGetRequest(TypedDict):
    annotationId: AnnotationId
    commentIds: NotRequired[list[CommentId] | None]
    """Only these comments."""

    documentId: DocumentId
    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]
    userIds: NotRequired[list[UserId] | None]
    """Only comments of these authors."""


class CommentsReactionsAddResult(Success):
    data: ReactionAdded


class CommentsReactionsDeleteResult(Success):
    data: ReactionDeleted


class CountResult(Success):
    data: Count


class CurrentAgentVersionResult(Success):
    data: CurrentAgentVersion


class DeliveriesAttemptsGetRequest(TypedDict):
    endpointId: NotRequired[EndpointId | None]
    """Only attempts at this endpoint."""

    iterator: NotRequired[str | None]
    """The `iterator` or the `prevIterator` of another page; the first page when absent."""

    limit: NotRequired[int | None]
    """Page size; 50 when absent."""

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
    """Only messages that were sent to this endpoint or are pending for it."""

    iterator: NotRequired[str | None]
    """The `iterator` or the `prevIterator` of another page; the newest messages when absent."""

    limit: NotRequired[int | None]
    """Page size; 50 when absent."""

    since: NotRequired[Instant | None]
    """Only messages of events since this time."""


class DeliveriesMessagesGetResult(Success):
    data: WebhookMessages


class DeliveriesMessagesResendRequest(TypedDict):
    endpointId: EndpointId
    """The receiver: an endpoint, or `basic-raw` or `basic-processed` for a basic webhook."""

    messageId: MessageId


class DeliveriesMessagesResendResult(Success):
    data: ResendStarted


class DeliveryAttempt(TypedDict):
    """
    An attempt.
    """

    durationMs: int
    endpointId: EndpointId
    failure: AttemptFailure | None
    """The reason for a missing reply."""

    id: str
    messageId: MessageId
    response: str
    """The first 16 KiB of the reply. The oldest attempts of a message omit it if its replies exceed 300 KB together."""

    responseIsBase64: bool
    """Whether `response` is base64, because the reply was no text."""

    status: AttemptStatus
    statusCode: int | None
    """Null without a reply."""

    timestamp: str
    """Start of the request."""

    trigger: AttemptTrigger
    url: str
    """The URL of the request, up to 2,048 characters."""


class DeliveryAttempts(TypedDict):
    attempts: list[DeliveryAttempt]
    """Attempts of the newest message first; within a message by endpoint, then the newest first. Of each message at an endpoint, the latest ten scheduled and the latest ten manual attempts."""

    done: bool
    """Whether there are no older attempts."""

    iterator: str | None
    """The next page, of older attempts; null when done."""

    prevIterator: str | None
    """The previous page, of newer attempts, sent as `iterator`; null on the first page."""


class DisabledResult(TypedDict):
    code: NotRequired[ItemErrorCode]
    disabled: bool
    """As sent."""

    message: str
    success: bool


class Document(TypedDict):
    """
    A document of an organization.
    """

    accessType: AccessType
    """The effective access type, inherited or not."""

    createdAt: int
    """Epoch milliseconds."""

    disabled: bool
    documentId: DocumentId
    documentName: str
    """Empty when unset."""

    folderId: NotRequired[FolderId]
    """Absent for a document in no folder."""

    id: DocumentId
    inheritAccessFromParent: bool
    """Whether it is that of the folder, or without one, the default of the API key."""

    lastUpdated: int
    """Epoch milliseconds."""

    organizationId: OrganizationId


class DocumentAccessResult(TypedDict):
    accessType: AccessType | None
    """As sent; null when inherited."""

    code: NotRequired[ItemErrorCode]
    inheritFromParent: bool
    message: str
    success: bool


class DocumentResult(TypedDict):
    code: NotRequired[ItemErrorCode]
    id: DocumentId
    message: str
    success: bool


class DocumentResults(Success):
    data: dict[str, DocumentResult]


class DocumentsAccessUpdateRequest(TypedDict):
    accessType: NotRequired[AccessType | None]
    """The new access type; required unless it is inherited."""

    documentIds: list[DocumentId]
    inheritFromParent: NotRequired[bool | None]
    """Whether the documents inherit the access type of their folder, or without one, the default of the API key."""

    organizationId: OrganizationId


class DocumentsAccessUpdateResult(Success):
    data: dict[str, DocumentAccessResult]


class DocumentsAddRequest(TypedDict):
    createFolder: NotRequired[bool | None]
    """Whether to create a missing folder at the top."""

    createOrganization: NotRequired[bool | None]
    """Whether to create a missing organization."""

    documents: list[NewDocument | JsonObject]
    folderId: NotRequired[FolderId | None]
    """The folder of the documents; none when absent or `root`."""

    organizationId: OrganizationId


class DocumentsCountRequest(TypedDict):
    excludeFolderDocs: NotRequired[bool | None]
    """Only documents in no folder; not together with `folderId`."""

    folderId: NotRequired[FolderId | None]
    """Only documents directly in this folder; `root` for those in none."""

    organizationId: OrganizationId


class DocumentsDeleteRequest(TypedDict):
    documentIds: list[DocumentId]
    organizationId: OrganizationId


class DocumentsDisableRequest(TypedDict):
    disabled: bool
    """Whether the end users of the documents are locked out."""

    documentIds: list[DocumentId]
    organizationId: OrganizationId


class DocumentsDisableResult(Success):
    data: dict[str, DisabledResult]


class DocumentsGetRequest(TypedDict):
    documentIds: NotRequired[list[DocumentId] | None]
    """Only these documents."""

    folderId: NotRequired[FolderId | None]
    """Only documents in this folder. Documents added or moved a moment ago may be missing."""

    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]


class DocumentsGetResult(Success):
    data: list[Document]
    missing: NotRequired[list[DocumentId]]
    """With `documentIds`: those of them that are on no page."""

    pageToken: str | None
    """Null on the last page."""


class DocumentsMoveDocumentsRequest(TypedDict):
    documentIds: list[DocumentId]
    folderId: FolderId
    """The new folder; `root` for none."""

    organizationId: OrganizationId


class DocumentsUpdateRequest(TypedDict):
    documents: list[DocumentPatch | JsonObject]
    organizationId: OrganizationId


class DoneResult(Success):
    data: Done


class Editor(TypedDict):
    """
    One editor.
    """

    contentKey: str
    """The name of the shared type that holds the content."""

    data: Any
    """A string, an object or an array, according to `type` and `format`. Null in a list when it is too large for a reply."""

    id: EditorId
    """The editor."""

    lastUpdate: str
    lastUpdatedBy: UserId | None
    """Null when unknown."""

    lost: NotRequired[list[str]]
    """The parts that the form cannot hold, such as `mark bold`; at most 50. Absent without `format`."""

    sessionId: str | None
    """Always null: the service has no sessions."""

    type: EditorType


class EditorAttribution(TypedDict):
    """
    The changes of a user at a time.
    """

    at: int
    """When the service accepted it, in epoch milliseconds."""

    deletes: list[list[int]]
    """As `inserts`."""

    inserts: list[list[int]]
    """Yjs items, each as the client, its first clock, and their number."""

    userId: UserId | None
    """Null when unknown."""


class EditorAuthorRange(TypedDict):
    """
    Successive Yjs items of an author.
    """

    client: int
    """The Yjs client."""

    clock: int
    """The first clock of it."""

    length: int
    """The number of items."""

    userId: UserId | None
    """Null when unknown."""


class EditorAuthors(TypedDict):
    ranges: list[EditorAuthorRange]
    """By client and clock; items without a range are nobody's."""


class EditorChanges(TypedDict):
    attributions: list[EditorAttribution]
    """Who did it, in the order of the edits."""

    before: str
    """The document before, as one Yjs v1 update."""

    update: str
    """The changes, with the content of what was deleted meanwhile: one Yjs v1 update."""


class EditorContent(TypedDict):
    """
    A shared editor at the time of sending, or a version of it.
    """

    data: NotRequired[Any]
    """The content, as returned by `crdt/get`."""

    id: EditorId
    lastUpdate: NotRequired[str]
    lastUpdatedBy: NotRequired[Any]
    """The last author, as far as known."""

    name: NotRequired[str]
    """The name of the version, if it has one."""

    sessionId: NotRequired[None]
    """Always null."""

    versionId: NotRequired[VersionId]
    """The version, unless the event is a change of the content."""


EditorVersion = TypedDict(
    'EditorVersion',
    {
        'edits': int,
        'from': int,
        'kind': EditorVersionKind,
        'name': str | None,
        'to': int,
        'userIds': list[UserId],
        'versionId': VersionId,
    },
)


class EditorVersionResult(Success):
    data: EditorVersion


class EditorsAddRequest(TypedDict):
    contentKey: NotRequired[str | None]
    """The name of the shared type that holds the content; `content` when absent."""

    data: Any
    """As `xml`, a string for `text` and `xml`, an object for `map`, an array for `array`."""

    documentId: DocumentId
    editorId: EditorId
    format: NotRequired[SentEditorFormat | None]
    """The form of `data`; `xml` when absent."""

    organizationId: OrganizationId
    type: EditorType
    userId: NotRequired[UserId | None]
    """The author of the change."""


class EditorsAddResult(Success):
    lost: NotRequired[list[str]]
    """The parts of `data` that were left out, such as `comment draft`, and those that went with others and that `format` does not show, such as `value Embed`; at most 50. Absent without `format`."""


class EditorsAuthorsGetRequest(TypedDict):
    documentId: DocumentId
    editorId: EditorId
    organizationId: OrganizationId


class EditorsAuthorsGetResult(Success):
    data: EditorAuthors


EditorsChangesGetRequest = TypedDict(
    'EditorsChangesGetRequest',
    {
        'documentId': DocumentId,
        'editorId': EditorId,
        'from': NotRequired[Instant | None],
        'organizationId': OrganizationId,
        'to': NotRequired[Instant | None],
        'userId': NotRequired[UserId | None],
    },
)


class EditorsChangesGetResult(Success):
    data: EditorChanges


EditorsChangesRevertRequest = TypedDict(
    'EditorsChangesRevertRequest',
    {
        'authorId': UserId,
        'documentId': DocumentId,
        'editorId': EditorId,
        'from': NotRequired[Instant | None],
        'organizationId': OrganizationId,
        'to': NotRequired[Instant | None],
        'userId': NotRequired[UserId | None],
    },
)


class EditorsDeleteRequest(TypedDict):
    documentId: DocumentId
    editorIds: NotRequired[list[EditorId] | None]
    """Only these editors; every editor of the document when absent. For a document with very many, the call deletes as many as the reply has room for; repeat it for the rest."""

    organizationId: OrganizationId


class EditorsDeleteResult(Success):
    data: dict[str, EditorResult]


class EditorsGetRequest(TypedDict):
    contentKey: NotRequired[str | None]
    """The name of a shared type of any type: `text`, `map`, `array` or `xml`; that of the editor when absent. Editors with nothing under this name are left out."""

    documentId: DocumentId
    editorId: NotRequired[EditorId | None]
    """Only this editor; every editor of the document when absent."""

    format: NotRequired[EditorFormat | None]
    """The form of the content; `xml` when absent. Maps and arrays are JSON in every form."""

    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    """Without `editorId`; a page has fewer editors if they are large."""

    pageToken: NotRequired[str | None]


class EditorsGetResult(Success):
    data: list[Editor]
    nextPageToken: str | None
    """Null on the last page."""


class EditorsStateGetRequest(TypedDict):
    documentId: DocumentId
    editorId: EditorId
    organizationId: OrganizationId
    stateVector: NotRequired[str | None]
    """The state vector of the peer in Yjs encoding; empty when absent."""


class EditorsStateGetResult(Success):
    data: EditorState


class EditorsUpdateRequest(TypedDict):
    contentKey: NotRequired[str | None]
    """The name of the shared type that holds the content; that of the editor when absent. Another name than the editor's is refused unless something of this type is there."""

    data: Any
    """As `xml`, a string for `text` and `xml`, an object for `map`, an array for `array`."""

    documentId: DocumentId
    editorId: EditorId
    format: NotRequired[SentEditorFormat | None]
    """The form of `data`; `xml` when absent."""

    organizationId: OrganizationId
    type: EditorType
    userId: NotRequired[UserId | None]
    """The author of the change."""


class EditorsUpdateResult(Success):
    lost: NotRequired[list[str]]
    """The parts of `data` that were left out, such as `comment draft`, and those that went with others and that `format` does not show, such as `value Embed`; at most 50. Absent without `format`."""


class EditorsUpdatesAddRequest(TypedDict):
    contentKey: NotRequired[str | None]
    """The name of the shared type that holds the content of an added editor; `content` when absent."""

    documentId: DocumentId
    editorId: EditorId
    organizationId: OrganizationId
    type: NotRequired[EditorType | None]
    """The type of the content. A missing editor is added with this type. With `contentKey` it also becomes the type of an editor that only peers edited and that has no text yet."""

    updates: list[str]
    """Each of at most 4.1 MB before base64."""

    userId: NotRequired[UserId | None]
    """The author of the change."""


class EditorsVersionsAddRequest(TypedDict):
    documentId: DocumentId
    editorId: EditorId
    name: NotRequired[str | None]
    organizationId: OrganizationId
    userId: NotRequired[UserId | None]
    """The user who adds it."""


class EditorsVersionsDeleteRequest(TypedDict):
    documentId: DocumentId
    editorId: EditorId
    organizationId: OrganizationId
    versionId: VersionId


class EditorsVersionsGetRequest(TypedDict):
    at: NotRequired[Instant | None]
    """A time."""

    contentKey: NotRequired[str | None]
    """The name of a shared type of any type; that of the editor when absent."""

    documentId: DocumentId
    editorId: EditorId
    format: NotRequired[EditorFormat | None]
    """The form of the content, which the reply has only then. Maps and arrays are JSON in every form."""

    organizationId: OrganizationId
    stateVector: NotRequired[str | None]
    """The state vector of a peer in Yjs encoding: the reply has what it lacks. Empty when absent."""

    versionId: NotRequired[VersionId | None]
    """The version; either this or `at` is sent."""


class EditorsVersionsGetResult(Success):
    data: EditorVersionState


EditorsVersionsListRequest = TypedDict(
    'EditorsVersionsListRequest',
    {
        'added': NotRequired[bool | None],
        'documentId': DocumentId,
        'editorId': EditorId,
        'from': NotRequired[Instant | None],
        'organizationId': OrganizationId,
        'pageSize': NotRequired[int | None],
        'pageToken': NotRequired[str | None],
        'to': NotRequired[Instant | None],
        'userId': NotRequired[UserId | None],
    },
)


class EditorsVersionsListResult(Success):
    data: list[EditorVersion]
    nextPageToken: str | None
    """Null on the last page."""


class EditorsVersionsRestoreRequest(TypedDict):
    at: NotRequired[Instant | None]
    """A time."""

    documentId: DocumentId
    editorId: EditorId
    organizationId: OrganizationId
    userId: NotRequired[UserId | None]
    """The author of the change."""

    versionId: NotRequired[VersionId | None]
    """The version; either this or `at` is sent."""


class EditorsVersionsUpdateRequest(TypedDict):
    documentId: DocumentId
    editorId: EditorId
    name: str
    organizationId: OrganizationId
    versionId: VersionId


class EffectivePermission(TypedDict):
    accessRole: NotRequired[AccessRole]
    accessType: NotRequired[AccessType]
    """The effective access type, inherited or not; absent for organizations."""

    error: NotRequired[str]
    errorCode: NotRequired[PermissionErrorCode]
    expiresAt: NotRequired[int]
    """Expiry of the right, in epoch seconds; never when absent."""

    organizationUserGroupId: NotRequired[GroupId]
    """The user group that gives the right."""


class EmptyResult(Success):
    data: None


class EndpointEvent(TypedDict):
    """
    A webhook endpoint was added, changed, deleted or disabled, or soon will be.
    """

    apiKey: ApiKeyId
    endpointId: EndpointId
    percent: NotRequired[int]
    """Elapsed share of the time after which it is disabled, in `endpoint.failing`."""

    reason: NotRequired[DisableReason]
    """The reason, in `endpoint.disabled`."""


class EndpointEventWebhook(TypedDict):
    """
    The common members of every body. A body of more than 256 KiB has only ids in `data`, and `truncated`.
    """

    data: NotRequired[EndpointEvent]
    """Absent after the erasure of a user it named."""

    expunged: NotRequired[bool]
    """True after the erasure of a user that `data` named."""

    id: MessageId
    """The id of the message: the same in every attempt."""

    seq: NotRequired[int]
    """The number of the event in its document, from 1 without gaps."""

    timestamp: str
    """Time of the event."""

    type: EndpointEventWebhookType


class ErasureJob(TypedDict):
    jobId: JobId
    """The job, to request its progress for 30 days."""

    tasksCount: int
    """One task for each user."""


class ErrorIssue(TypedDict):
    """
    An invalid member of the body.
    """

    code: IssueCode
    message: str
    path: list[str | int]
    """The path from the body: names of members, and positions in arrays."""


class Folder(TypedDict):
    """
    A folder of an organization.
    """

    accessType: AccessType
    """The effective access type, inherited or not."""

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
    """Present in nested lists."""


class FolderAccessResult(TypedDict):
    accessType: AccessType | None
    """Null when inherited."""

    code: NotRequired[ItemErrorCode]
    inheritFromParent: bool
    message: str
    success: bool


class FolderResult(TypedDict):
    code: NotRequired[ItemErrorCode]
    id: FolderId
    message: str
    success: bool


class FolderResults(Success):
    data: dict[str, FolderResult]


class FoldersAccessUpdateRequest(TypedDict):
    accessType: NotRequired[AccessType | None]
    """The new access type; required unless it is inherited."""

    folderIds: list[FolderId]
    inheritFromParent: NotRequired[bool | None]
    """Whether the folder inherits the access type of its parent."""

    organizationId: OrganizationId


class FoldersAccessUpdateResult(Success):
    data: dict[str, FolderAccessResult]


class FoldersAddRequest(TypedDict):
    createOrganization: NotRequired[bool | None]
    """Whether to create a missing organization."""

    folders: list[NewFolder]
    organizationId: OrganizationId


class FoldersDeleteRequest(TypedDict):
    folderId: FolderId
    organizationId: OrganizationId


class FoldersGetRequest(TypedDict):
    folderId: NotRequired[FolderId | None]
    """Only this folder."""

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


class ItemOutcomes(Success):
    data: dict[str, ItemOutcome]


class LiveState(TypedDict):
    data: JsonObject
    lastUpdated: int
    """Epoch milliseconds."""

    liveStateDataId: LiveStateDataId
    revision: int
    """Number of writes, from 1."""


class LiveStateBroadcastRequest(TypedDict):
    data: JsonObject
    """Any object."""

    documentId: DocumentId
    liveStateDataId: LiveStateDataId
    merge: NotRequired[bool | None]
    """Whether to merge `data` into the stored object: objects merge at any depth, `null` removes a member, all other values replace. Otherwise `data` replaces it."""

    organizationId: OrganizationId


class LiveStateBroadcastWrapped(TypedDict):
    data: LiveStateBroadcastRequest


class LiveStateGetRequest(TypedDict):
    documentId: DocumentId
    liveStateDataId: NotRequired[LiveStateDataId | None]
    """Only this entry."""

    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]


class LiveStateGetResult(Success):
    data: list[LiveState]
    pageToken: str | None
    """Null on the last page."""


class MadeEditorVersion(TypedDict):
    """
    The version that an editor became.
    """

    version: EditorVersion | None
    """Null when nothing had to change."""


class MadeEditorVersionResult(Success):
    data: MadeEditorVersion


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
    Deliveries of a webhook message fail, or succeed after failures.
    """

    apiKey: ApiKeyId
    attempts: int
    """Attempts so far."""

    endpointId: EndpointId
    messageId: MessageId
    messageType: str
    """The type of its event."""

    statusCode: int | None
    """The last HTTP status of the endpoint; null without a reply."""


class MessageEventWebhook(TypedDict):
    """
    The common members of every body. A body of more than 256 KiB has only ids in `data`, and `truncated`.
    """

    data: NotRequired[MessageEvent]
    """Absent after the erasure of a user it named."""

    expunged: NotRequired[bool]
    """True after the erasure of a user that `data` named."""

    id: MessageId
    """The id of the message: the same in every attempt."""

    seq: NotRequired[int]
    """The number of the event in its document, from 1 without gaps."""

    timestamp: str
    """Time of the event."""

    type: MessageEventWebhookType


NewActivityChanges: TypeAlias = dict[str, ValueChangeInput]


class NewCommentAgent(TypedDict):
    """
    An agent as sent.
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
    A user as sent: complete to add, partial to update.
    """

    data: NotRequired[JsonObject | None]
    """At most 1 KB; `{}` unsets it."""

    email: NotRequired[str | None]
    """E-mail address."""

    name: NotRequired[str | None]
    """Display name."""

    status: NotRequired[str | None]
    """Status, such as `online` (the default of a new record), `away` or `offline`."""

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
    """URL of the file."""


class NewSuggestion(TypedDict):
    """
    A suggestion as sent, with custom members.
    """

    status: NotRequired[SuggestionStatus | None]
    """Outcome of the suggestion; `pending` for a new one."""


class NewUser(TypedDict):
    """
    A user as sent.
    """

    accessRole: NotRequired[AccessRole | None]
    """Role of the user; only on v2 paths."""

    color: NotRequired[str | None]
    """Color of cursor and avatar."""

    email: NotRequired[str | None]
    """E-mail address, for notifications; an empty or invalid one gets none."""

    initial: NotRequired[str | None]
    """Letter of the avatar; the first of `name` unless sent."""

    isAdmin: NotRequired[bool | None]
    """Whether the user is an administrator."""

    isAnonymous: NotRequired[bool | None]
    """Whether the user is anonymous."""

    isGuest: NotRequired[bool | None]
    """Whether the user is a guest."""

    isReadOnly: NotRequired[bool | None]
    """Whether the user is read-only."""

    name: NotRequired[str | None]
    """Display name."""

    photoUrl: NotRequired[str | None]
    """Address of a picture."""

    plan: NotRequired[str | None]
    """Plan in the caller's product."""

    textColor: NotRequired[str | None]
    """Color of text on `color`."""

    type: NotRequired[str | None]
    """Kind of user, such as `signedIn`."""

    userId: UserId
    """The caller's id."""


class NewVisibility(TypedDict):
    """
    The visibility of a thread as sent; public when `type` is absent.
    """

    organizationId: NotRequired[OrganizationId | None]
    """The organization whose members see it; required for `organizationPrivate`."""

    organizationIds: NotRequired[list[OrganizationId] | None]
    """Further organizations whose members see it."""

    type: NotRequired[VisibilityType | None]
    """Visibility."""

    userIds: NotRequired[list[UserId] | None]
    """Users who see it; required for `restricted`."""


class NotificationAdded(TypedDict):
    id: NotificationId
    message: str
    success: bool


class NotificationChannels(TypedDict):
    """
    The preference of each channel; absent when unset.
    """

    chat: NotRequired[NotificationLevel | None]
    """By chat, where a chat integration is configured."""

    email: NotRequired[NotificationLevel | None]
    """By mail."""

    inbox: NotRequired[NotificationLevel | None]
    """In the product."""


class NotificationPreferenceResult(TypedDict):
    """
    Result of one item of a batch, with a message for people.
    """

    documentId: NotRequired[DocumentId]
    """The first document of the request."""

    message: str
    success: bool
    userId: UserId


class NotificationPreferenceScope(TypedDict):
    apiKey: NotRequired[ApiKeyId]
    """Absent for end users."""

    documentId: NotRequired[DocumentId]
    """Absent: the documents that have no preference of their own."""

    organizationId: OrganizationId
    userId: UserId


class NotificationsAddResult(Success):
    data: NotificationAdded


class NotificationsConfigGetRequest(TypedDict):
    documentIds: NotRequired[list[DocumentId] | None]
    """Required unless `getOrganizationConfig` is true."""

    getOrganizationConfig: NotRequired[bool | None]
    """Whether to append the preference for documents without their own."""

    organizationId: OrganizationId
    userId: UserId


class NotificationsConfigGetV1Request(TypedDict):
    documentIds: list[DocumentId]
    """Required unless `getOrganizationConfig` is true."""

    getOrganizationConfig: NotRequired[bool | None]
    """Whether to append the preference for documents without their own."""

    organizationId: OrganizationId
    userId: UserId


class NotificationsConfigSetRequest(TypedDict):
    config: NotificationChannels
    documentIds: NotRequired[list[DocumentId] | None]
    organizationId: OrganizationId
    userIds: list[UserId]


class NotificationsConfigSetResult(Success):
    data: dict[str, NotificationPreferenceResult]


class NotificationsConfigSetV1Request(TypedDict):
    config: NotificationChannels
    documentIds: list[DocumentId]
    organizationId: OrganizationId
    userIds: list[UserId]


class NotificationsCountRequest(TypedDict):
    organizationId: OrganizationId
    userId: UserId


class NotificationsCountResult(Success):
    data: NotificationCount


class NotificationsDeleteRequest(TypedDict):
    documentId: NotRequired[DocumentId | None]
    """Only notifications about this document."""

    locationId: NotRequired[str | None]
    """Only notifications about this location."""

    notificationIds: NotRequired[list[NotificationId] | None]
    """Only these notifications."""

    organizationId: OrganizationId
    userId: NotRequired[UserId | None]
    """Only notifications to this user."""


class NotificationsDeleteResult(Success):
    data: dict[str, NotificationResult]


class NotificationsGetRequest(TypedDict):
    documentId: NotRequired[DocumentId | None]
    """Only notifications about this document."""

    locationId: NotRequired[str | None]
    """Only notifications about this location."""

    notificationIds: NotRequired[list[NotificationId] | None]
    """Only these notifications."""

    order: NotRequired[SortOrder | None]
    """By time; only on the v2 path."""

    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    """Only on the v2 path."""

    pageToken: NotRequired[str | None]
    """Only on the v2 path."""

    userId: NotRequired[UserId | None]
    """Only notifications to this user and visible to them."""


class NotificationsSeenRequest(TypedDict):
    annotationId: NotRequired[AnnotationId | None]
    """The thread; the inbox when absent, as for `documentId`."""

    documentId: NotRequired[DocumentId | None]
    """The document of the thread."""

    organizationId: OrganizationId
    userId: UserId


class NotificationsTraceGetRequest(TypedDict):
    documentId: NotRequired[DocumentId | None]
    """Only events in this document."""

    eventId: NotRequired[str | None]
    """Only this event, or this custom notification."""

    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]
    userId: NotRequired[UserId | None]
    """Only events with this recipient."""


class NotificationsUpdateResult(Success):
    data: dict[str, NotificationResult]
    hasMore: NotRequired[bool]
    """With `all`: whether there may be further unread notifications."""


class OperatorApiKeyLimitsUpdateResult(Success):
    data: ApiKeyLimits


class OperatorAuthTokenRotateResult(Success):
    data: WorkspaceTokenRotated


class OperatorDeletionsRepairResult(Success):
    data: RepairProgress


class OperatorSecretsResealResult(Success):
    data: ResealProgress


class OperatorWorkspaceCreateRequest(TypedDict):
    avatar: NotRequired[str | None]
    """Picture of the owner."""

    defaultDocumentAccessType: NotRequired[AccessType | None]
    """The access type of documents of the first key, without one of their own or of their folders; that of the deployment when absent, initially `organizationPrivate`."""

    maxProductionKeys: NotRequired[int | None]
    """Maximum number of production keys; 10 when absent."""

    maxTestingKeys: NotRequired[int | None]
    """Maximum number of testing keys; 100 when absent."""

    name: NotRequired[str | None]
    """Name of the owner; the e-mail address when absent."""

    ownerEmail: str
    plan: NotRequired[WorkspacePlan | None]
    """`paid` when absent; required for production keys."""

    selfServeProductionKeys: NotRequired[bool | None]
    """Whether the workspace may create production keys itself; true when absent."""

    workspaceName: NotRequired[str | None]
    """`<name> workspace` when absent."""


class OperatorWorkspaceUpdateRequest(TypedDict):
    id: WorkspaceId
    maxProductionKeys: NotRequired[int | None]
    """Maximum number of production keys."""

    maxTestingKeys: NotRequired[int | None]
    """Maximum number of testing keys."""

    maxWebhookEndpoints: NotRequired[int | None]
    """Maximum number of webhook endpoints of each of its keys."""

    name: NotRequired[str | None]
    """Name of the workspace."""

    plan: NotRequired[WorkspacePlan | None]
    """Production keys need `paid`."""

    selfServeProductionKeys: NotRequired[bool | None]
    """Whether the workspace may create production keys itself."""


class OperatorWorkspaceUpdateResult(Success):
    data: WorkspaceSettings


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


class OrganizationDisabledResult(TypedDict):
    code: NotRequired[ItemErrorCode]
    disabled: bool
    """As sent."""

    id: OrganizationId
    message: str
    success: bool


class OrganizationResults(Success):
    data: dict[str, OrganizationResult]


class OrganizationsAddRequest(TypedDict):
    organizations: list[NewOrganization | JsonObject]


class OrganizationsDisableResult(Success):
    data: dict[str, OrganizationDisabledResult]


class OrganizationsGetResult(Success):
    data: list[Organization]
    nextPageToken: str | None
    """Null on the last page."""


class PermissionUser(TypedDict):
    userId: UserId


class PermissionsGetRequest(TypedDict):
    documentIds: NotRequired[list[DocumentId] | None]
    folderIds: NotRequired[list[FolderId] | None]
    organizationId: OrganizationId
    organizationUserGroupIds: NotRequired[list[GroupId] | None]
    """User groups, instead of users: what somebody may do who has nothing but the group."""

    skipResourceExistenceValidation: NotRequired[bool | None]
    """Whether a missing folder or document fails only its own entry."""

    userIds: NotRequired[list[UserId] | None]
    """Users; required unless groups are named."""


class Person(TypedDict):
    """
    A user in the data of others: the author of a comment, an actor. Stored as sent, whether the user is known or not.
    """

    color: NotRequired[str | None]
    """Color of cursor and avatar."""

    email: NotRequired[str | None]
    """E-mail address, for notifications; an empty or invalid one gets none."""

    initial: NotRequired[str | None]
    """Letter of the avatar; the first of `name` unless sent."""

    isAdmin: NotRequired[bool | None]
    """Whether the user is an administrator."""

    isAnonymous: NotRequired[bool | None]
    """Whether the user is anonymous."""

    isGuest: NotRequired[bool | None]
    """Whether the user is a guest."""

    isReadOnly: NotRequired[bool | None]
    """Whether the user is read-only."""

    name: NotRequired[str | None]
    """Display name."""

    photoUrl: NotRequired[str | None]
    """Address of a picture."""

    plan: NotRequired[str | None]
    """Plan in the caller's product."""

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


class PresenceDeleteRequest(TypedDict):
    documentId: DocumentId
    organizationId: OrganizationId
    userIds: list[UserId]


class PresenceGetRequest(TypedDict):
    documentId: DocumentId
    organizationId: OrganizationId
    pageSize: NotRequired[int | None]
    pageToken: NotRequired[str | None]
    userIds: NotRequired[list[UserId] | None]
    """Only these users; no filter when absent or empty."""


class PresenceUpdateRequest(TypedDict):
    documentId: DocumentId
    organizationId: OrganizationId
    users: list[NewPresenceUser]


class PresenceUser(TypedDict):
    """
    The presence of a user in a document.
    """

    data: NotRequired[JsonObject]
    """Absent when unset."""

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
    Duration of a recording.
    """

    display: str
    """Duration as `HH:MM:SS`."""

    duration: RecordingDuration
    """In milliseconds."""


class RecordingAsset(TypedDict):
    """
    A file of a recording in events.
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
    """URL of the file."""


RecordingEvent = TypedDict(
    'RecordingEvent',
    {
        'actionType': NotRequired[EventAction],
        'actionUser': NotRequired[Person | None],
        'annotationId': AnnotationId,
        'apiKey': ApiKeyId,
        'assets': NotRequired[list[RecordingAsset]],
        'assetsAllVersions': NotRequired[list[RecordingAsset]],
        'documentId': DocumentId,
        'from': NotRequired[Person],
        'metadata': NotRequired[JsonObject],
        'organizationId': OrganizationId,
        'platform': NotRequired[Literal['sdk']],
        'recorderId': NotRequired[AnnotationId],
        'source': NotRequired[EventSource],
        'truncated': NotRequired[bool],
    },
)


class RecordingEventWebhook(TypedDict):
    """
    The common members of every body. A body of more than 256 KiB has only ids in `data`, and `truncated`.
    """

    data: NotRequired[RecordingEvent]
    """Absent after the erasure of a user it named."""

    expunged: NotRequired[bool]
    """True after the erasure of a user that `data` named."""

    id: MessageId
    """The id of the message: the same in every attempt."""

    seq: NotRequired[int]
    """The number of the event in its document, from 1 without gaps."""

    timestamp: str
    """Time of the event."""

    type: RecordingEventWebhookType


class RecordingVersion(TypedDict):
    """
    A version of a recording.
    """

    attachments: list[RecordingAttachment]
    """Files of the version."""

    displayName: str
    """Display name."""

    recordedTime: RecordedTime
    """Duration."""


class RecordingsAddResult(Success):
    data: dict[str, RecordingResult]


class ResourcePermission(TypedDict):
    """
    An organization or a resource in it, with the role of a user.
    """

    accessRole: NotRequired[AccessRole | None]
    """The granted role; `editor` when absent."""

    expiresAt: NotRequired[int | None]
    """Expiry in epoch seconds; never when absent."""

    id: ResourceId
    """Id of the resource."""

    organizationId: NotRequired[OrganizationId | None]
    """Organization of the resource; required for folders and documents."""

    type: ResourceType
    """Kind of the resource."""


class ScheduleTestClockAdvanceResult(Success):
    data: TestClock


class StrictPerson(TypedDict):
    color: NotRequired[str | None]
    """Color of cursor and avatar."""

    email: NotRequired[str | None]
    """E-mail address, for notifications; an empty or invalid one gets none."""

    initial: NotRequired[str | None]
    """Letter of the avatar; the first of `name` unless sent."""

    isAdmin: NotRequired[bool | None]
    """Whether the user is an administrator."""

    isAnonymous: NotRequired[bool | None]
    """Whether the user is anonymous."""

    isGuest: NotRequired[bool | None]
    """Whether the user is a guest."""

    isReadOnly: NotRequired[bool | None]
    """Whether the user is read-only."""

    name: NotRequired[str | None]
    """Display name."""

    photoUrl: NotRequired[str | None]
    """Address of a picture."""

    plan: NotRequired[str | None]
    """Plan in the caller's product."""

    textColor: NotRequired[str | None]
    """Color of text on `color`."""

    type: NotRequired[str | None]
    """Kind of user, such as `signedIn`."""

    userId: UserId
    """The caller's id."""


class StrictRemovedPermissions(TypedDict):
    resources: list[StrictResourcePermission]
    """Role and expiry are ignored."""


class Suggestion(TypedDict):
    """
    The suggestion of a thread.
    """

    status: SuggestionStatus
    """Outcome of the suggestion."""


class TokenPermissions(TypedDict):
    resources: list[ResourcePermission]
    """The resources that the token grants."""


class TraceRow(TypedDict):
    """
    The delivery state of an event for one user on one channel.
    """

    channel: NotificationChannel
    """The channel."""

    dueAt: NotRequired[int]
    """The latest due time, in epoch milliseconds."""

    eventId: str
    """The event; the id of the notification for a custom one."""

    notificationId: NotRequired[NotificationId]
    """The notification that contains it."""

    reason: NotRequired[DropReason]
    """The reason for a drop."""

    state: TraceState
    """Delivery state."""

    userId: NotRequired[UserId]
    """The user; absent for a decision about all users."""


TriggerSwitch: TypeAlias = bool | TriggerSwitchMap


Triggers: TypeAlias = dict[str, TriggerSwitch]
"""
Switches by event, in any accepted spelling: in groups (`comment.added` as `{"comment": {"added": true}}`) or flat (`comment.add`, `comment.added` or `added`). Unknown keys are stored.
"""


class Unsubscribed(TypedDict):
    """
    A user who unsubscribed.
    """

    user: Person


class User(TypedDict):
    """
    A user of an organization, a document or a folder.
    """

    accessRole: NotRequired[AccessRole]
    """Absent for end users."""

    color: NotRequired[str]
    """Color of cursor and avatar."""

    documentId: NotRequired[DocumentId]
    email: NotRequired[str]
    """E-mail address, for notifications; an empty or invalid one gets none."""

    folderId: NotRequired[FolderId]
    initial: NotRequired[str]
    """Letter of the avatar; the first of `name` unless sent."""

    isAdmin: NotRequired[bool]
    """Whether the user is an administrator."""

    isAnonymous: NotRequired[bool]
    """Whether the user is anonymous."""

    isGuest: NotRequired[bool]
    """Whether the user is a guest."""

    isReadOnly: NotRequired[bool]
    """Whether the user is read-only."""

    name: NotRequired[str]
    """Display name."""

    organizationId: OrganizationId
    photoUrl: NotRequired[str]
    """Address of a picture."""

    plan: NotRequired[str]
    """Plan in the caller's product."""

    textColor: NotRequired[str]
    """Color of text on `color`."""

    type: NotRequired[str]
    """Kind of user, such as `signedIn`."""

    userId: UserId


class UserDataDeleteRequest(TypedDict):
    organizationIds: NotRequired[list[OrganizationId] | None]
    """Only in these organizations; in all when absent."""

    userIds: list[UserId]


class UserDataDeleteResult(Success):
    data: ErasureJob
    statusCode: int
    """Always 202: accepted, not done."""


class UserDataGetRequest(TypedDict):
    organizationId: OrganizationId
    pageToken: NotRequired[str | None]
    userId: UserId


class UserGroup(TypedDict):
    groupId: GroupId
    """The id, as in the request that added the group."""

    groupName: NotRequired[str]
    organizationUserGroupId: GroupId
    """The same id, under the name that other operations use."""

    userIds: NotRequired[list[UserId]]
    """The members; absent for end users."""


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
    """Removes all users of the group and ignores `userIds`. For a very large group, the call removes as many as the reply has room for; repeat it for the rest."""

    organizationId: OrganizationId
    organizationUserGroupId: GroupId
    userIds: NotRequired[list[UserId] | None]
    """The users to remove; required unless `deleteAll` is true."""


class UserPermissions(TypedDict):
    """
    The rights of one user or group.
    """

    documents: dict[str, EffectivePermission]
    folders: dict[str, EffectivePermission]
    organization: dict[str, EffectivePermission]


class UserReplacement(TypedDict):
    """
    A replacement of one user by another.
    """

    newUser: Person
    """The replacement."""

    oldUser: Person
    """The user to replace."""


class UsersAddRequest(TypedDict):
    createDocument: NotRequired[bool | None]
    """Whether to create a missing document."""

    createFolder: NotRequired[bool | None]
    """Whether to create a missing folder."""

    documentId: NotRequired[DocumentId | None]
    """Adds them to this document instead of the organization."""

    folderId: NotRequired[FolderId | None]
    """Adds them to this folder instead of the organization."""

    organizationId: OrganizationId
    users: list[NewUser]


UsersFoundMap: TypeAlias = dict[str, list[User]]


class UsersGenerateTokenRequest(TypedDict):
    apiKey: NotRequired[Secret | None]
    """Replaces the header, in v1."""

    authToken: NotRequired[Secret | None]
    """Replaces the header, in v1."""

    expiresIn: NotRequired[int | None]
    """The lifetime of the token in seconds, a minute to 48 hours; 48 hours when absent."""

    permissions: TokenPermissions
    userId: UserId
    userProperties: TokenUserProperties


class UsersGenerateTokenV1Request(TypedDict):
    apiKey: NotRequired[Secret | None]
    """Replaces the header, in v1."""

    authToken: NotRequired[Secret | None]
    """Replaces the header, in v1."""

    expiresIn: NotRequired[int | None]
    """The lifetime of the token in seconds, a minute to 48 hours; 48 hours when absent."""

    permissions: NotRequired[TokenPermissions | None]
    userId: UserId
    userProperties: TokenUserPropertiesV1


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
    """Visibility."""

    userIds: NotRequired[list[UserId]]
    """Users who see it, the author among them."""


class WebhookService(TypedDict):
    """
    The `webhookServiceConfig`; absent members were never set.
    """

    authToken: NotRequired[Secret | None]
    """Sent with each webhook request for verification; an empty text unsets it."""

    enableDataProtection: NotRequired[bool | None]
    """Stored as sent."""

    encodeData: NotRequired[bool | None]
    """Whether bodies are sent as base64."""

    encryptData: NotRequired[bool | None]
    """Whether bodies are encrypted."""

    processedNotificationUrl: NotRequired[str | None]
    """Receives processed notifications; an empty text unsets it."""

    publicKey: NotRequired[str | None]
    """The encryption key: an RSA public key in base64, without PEM lines; an empty text unsets it."""

    rawNotificationUrl: NotRequired[str | None]
    """Receives unprocessed notifications; an empty text unsets it."""

    triggers: NotRequired[Triggers | None]
    """Events that are sent."""


class Workspace(TypedDict):
    """
    A workspace.
    """

    apiKeyList: dict[str, ApiKey]
    """By id."""

    id: WorkspaceId
    name: str
    owner: WorkspaceOwner


class WorkspaceApiKeyConfigUpdateResult(Success):
    data: ApiKeyConfigChanged


class WorkspaceApiKeyCreateResult(Success):
    data: ApiKeyCreated


class WorkspaceApiKeysGetResult(Success):
    data: list[ApiKey]
    nextPageToken: str | None
    """Null on the last page."""


class WorkspaceAuthTokenResetResult(Success):
    data: AuthTokenReset


class WorkspaceAuthTokensGetResult(Success):
    data: AuthTokens


class WorkspaceCreated(TypedDict):
    """
    A new workspace.
    """

    apiKeyList: dict[str, ApiKey]
    """By id."""

    authToken: str
    """Shown only once: the service stores its hash."""

    id: WorkspaceId
    name: str
    owner: WorkspaceOwner


class WorkspaceGetResult(Success):
    data: Workspace


class ActivitiesAddResult(Success):
    data: ActivitiesAdded


class Activity(TypedDict):
    """
    An activity in replies.
    """

    actionIcon: NotRequired[str]
    """URL or name of an icon."""

    actionType: str
    actionUser: Person
    changes: NotRequired[dict[str, ValueChange]]
    """Changed members."""

    displayMessageTemplate: NotRequired[str]
    """The display message, with `{{variable}}` placeholders."""

    displayMessageTemplateData: NotRequired[JsonObject]
    """Values of the variables."""

    entityData: NotRequired[Any]
    """Snapshot of the entity."""

    entityTargetData: NotRequired[Any]
    """Snapshot of the target entity."""

    featureType: ActivityFeature
    id: ActivityId
    immutable: bool
    """Whether the record cannot be changed or deleted."""

    isActivityResolverUsed: NotRequired[bool]
    metadata: Whereabouts
    targetEntityId: NotRequired[EntityId]
    targetSubEntityId: NotRequired[EntityId]
    timestamp: int
    """Epoch milliseconds."""


class ActivityPatch(TypedDict):
    """
    An update of an activity, as sent.
    """

    actionIcon: NotRequired[str | None]
    """URL or name of an icon."""

    changes: NotRequired[ActivityPatchChanges | None]
    """Changed members."""

    displayMessageTemplate: NotRequired[str | None]
    """The display message, with `{{variable}}` placeholders."""

    displayMessageTemplateData: NotRequired[JsonObject | None]
    """Values of the variables."""

    entityData: NotRequired[Any]
    """Snapshot of the entity."""

    entityTargetData: NotRequired[Any]
    """Snapshot of the target entity."""

    id: ActivityId
    """The activity."""


class ActivityService(TypedDict):
    """
    The `activityServiceConfig`; absent members were never set.
    """

    enabledTime: NotRequired[int | None]
    """Time of enabling, in epoch milliseconds."""

    immutable: NotRequired[bool | None]
    """Whether new records are immutable."""

    isEnabled: NotRequired[bool | None]
    """Service switch."""

    triggers: NotRequired[Triggers | None]
    """Events that are logged, in group `comment`."""


class AgentContextGathering(TypedDict):
    """
    Context that an agent reads before it runs.
    """

    endpoints: NotRequired[list[AgentEndpoint | JsonObject] | None]
    """Endpoints of the strategy `rest-api`."""

    selectors: NotRequired[list[Selector] | None]
    """Elements whose styles are read; required by the strategy `computed-styles`."""

    strategies: NotRequired[list[AgentStrategy] | None]
    """Required for a new agent."""

    strategyOptions: NotRequired[AgentStrategyOptions | JsonObject | None]
    """Options by strategy; `selectors` and `endpoints` may be here instead."""


class AgentExecution(TypedDict):
    """
    Execution of an agent.
    """

    aiConfig: NotRequired[AgentAiConfig | None]
    """The model it works with."""

    executionStrategy: NotRequired[AgentExecutionStrategy | None]
    """`ai` when absent."""

    knowledge: NotRequired[AgentKnowledge | None]
    """Knowledge from earlier runs."""

    mcpServers: NotRequired[list[McpServer | JsonObject] | None]
    """Servers whose tools the agent may use."""

    serviceId: NotRequired[AgentServiceId | None]
    """Required by the strategies `service` and `service+ai`."""


class AgentOrAgents(TypedDict):
    agent: NotRequired[Agent]
    agents: NotRequired[list[AgentSummary]]


class AgentsCreateRequest(TypedDict):
    contextGathering: NotRequired[AgentContextGathering | JsonObject | None]
    """Sources of context that the agent reads from a page before it runs."""

    description: str
    """Purpose of the agent; not blank."""

    enabled: bool
    """Whether it is active."""

    execution: NotRequired[AgentExecution | JsonObject | None]
    """How the agent runs."""

    input: NotRequired[AgentInput | JsonObject | None]
    """Input of each run."""

    instructions: NotRequired[str | None]
    """Required and not blank, unless a service does all the work."""

    metadata: NotRequired[JsonObject | None]
    """Custom members; at most 16 KiB."""

    name: str
    """Display name."""

    phaseTimeoutMs: NotRequired[int | None]
    """Time limits of the phases."""

    postProcess: NotRequired[AgentPostProcess | None]
    """How findings are processed."""

    rawInstructions: NotRequired[str | None]
    """The text from which the instructions were made."""

    response: NotRequired[JsonObject | None]
    """The format of its answers."""

    scope: NotRequired[AgentScope | JsonObject | None]
    """The pages it runs on."""

    setup: NotRequired[JsonObject | None]
    """Steps before a run."""


class AgentsGetResult(Success):
    data: AgentOrAgents


class AgentsVersionUpdateRequest(TypedDict):
    agentId: AgentId
    contextGathering: NotRequired[AgentContextGathering | JsonObject | None]
    """Sources of context that the agent reads from a page before it runs."""

    execution: NotRequired[AgentExecution | JsonObject | None]
    """How the agent runs."""

    input: NotRequired[AgentInput | JsonObject | None]
    """Input of each run."""

    instructions: NotRequired[str | None]
    """Required and not blank, unless a service does all the work."""

    metadata: NotRequired[JsonObject | None]
    """Custom members; at most 16 KiB."""

    phaseTimeoutMs: NotRequired[int | None]
    """Time limits of the phases."""

    postProcess: NotRequired[AgentPostProcess | None]
    """How findings are processed."""

    rawInstructions: NotRequired[str | None]
    """The text from which the instructions were made."""

    response: NotRequired[JsonObject | None]
    """The format of its answers."""

    scope: NotRequired[AgentScope | JsonObject | None]
    """The pages it runs on."""

    setup: NotRequired[JsonObject | None]
    """Steps before a run."""


class AnnotationSubscription(TypedDict):
    """
    A user who subscribed to a thread.
    """

    type: SubscriptionType
    """Origin of the subscription."""

    user: Person
    """The user."""


class ApiKeyConfig(TypedDict):
    aiModelsConfig: NotRequired[MaskedAiKeys]
    """Absent without a configuration."""

    anchorMark: MarkName
    """The mark that the service writes for anchors of threads; an empty text: none."""

    defaultDocumentAccessType: AccessType
    """The default for documents without an access type of their own."""

    features: ApiKeyFeatures
    isPrivateCommentsEnabled: bool
    """Whether end users may begin private threads."""

    isThreadEditingEnabled: bool
    ownerEmail: str
    planInfo: PlanInfo
    """The plan of the workspace."""

    publicAccessRole: AccessRole
    """The role of end users without a right in what is `public`."""

    requireAutoOrgUser: bool
    """Whether an end user whose token names an organization becomes its member with the first access."""

    requireJwtToken: bool
    """Whether clients must present end-user tokens."""


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
    A mention in a comment, as `{{userId}}` in its text.
    """

    contact: NotRequired[Person | None]
    """Profile of the user."""

    userId: UserId
    """The user."""


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
        'organizationId': NotRequired[OrganizationId | None],
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
    """Whether to notify people; webhooks are always sent."""

    user: Person


class CommentsAnnotationsUnsubscribeRequest(TypedDict):
    annotationId: AnnotationId
    documentId: DocumentId
    organizationId: OrganizationId
    triggerNotification: NotRequired[bool | None]
    """Whether to notify people; webhooks are always sent."""

    user: Person


class CommentsAnnotationsUpdateRequest(TypedDict):
    annotationIds: NotRequired[list[AnnotationId] | None]
    documentId: DocumentId
    locationIds: NotRequired[list[LocationId] | None]
    organizationId: OrganizationId
    triggerActivities: NotRequired[bool | None]
    """Whether to write activity records."""

    triggerNotification: NotRequired[bool | None]
    """Whether to notify people; webhooks are always sent."""

    updateUsers: NotRequired[list[UserReplacement] | None]
    """Users to replace wherever the threads name them."""

    updatedData: NotRequired[CommentAnnotationPatch | None]
    """Required unless `updateUsers` is sent."""

    userIds: NotRequired[list[UserId] | None]
    """Only threads of these authors."""


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
    """Whether to write activity records."""

    triggerNotification: NotRequired[bool | None]
    """Whether to notify people; webhooks are always sent."""

    updatedData: CommentPatch


class ConfigurationActivitiesUpdateRequest(TypedDict):
    activityServiceConfig: ActivityService
    """Omitted members keep their values."""


class ConfigurationWebhooksUpdateRequest(TypedDict):
    useWebhookService: NotRequired[bool | None]
    """Service switch."""

    webhookServiceConfig: NotRequired[WebhookService | None]
    """Omitted members keep their values."""


class DeliveriesAttemptsGetResult(Success):
    data: DeliveryAttempts


class EditorEvent(TypedDict):
    """
    The content of a shared editor changed, of which changes less than 5 seconds apart are one event; or a version of it was added, or it became an earlier version again.
    """

    actionType: NotRequired[EventAction]
    """The type without its target."""

    actionUser: NotRequired[Person | None]
    """The actor; null when unknown."""

    apiKey: ApiKeyId
    crdtData: EditorContent
    """The editor with its content."""

    documentId: DocumentId
    metadata: NotRequired[JsonObject]
    """Names and metadata of the document and the organization, at the time of the event."""

    organizationId: OrganizationId
    platform: NotRequired[Literal['sdk']]
    source: NotRequired[EventSource]
    """The feature."""

    truncated: NotRequired[bool]
    """True when members were omitted because of the size."""


class EditorEventWebhook(TypedDict):
    """
    The common members of every body. A body of more than 256 KiB has only ids in `data`, and `truncated`.
    """

    data: NotRequired[EditorEvent]
    """Absent after the erasure of a user it named."""

    expunged: NotRequired[bool]
    """True after the erasure of a user that `data` named."""

    id: MessageId
    """The id of the message: the same in every attempt."""

    seq: NotRequired[int]
    """The number of the event in its document, from 1 without gaps."""

    timestamp: str
    """Time of the event."""

    type: EditorEventWebhookType


class EmailService(TypedDict):
    """
    The `emailServiceConfig`; absent members were never set.
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
    """Events that send mail."""

    type: NotRequired[EmailType | None]
    """Type of the sender."""


class ErrorDetails(TypedDict):
    """
    Invalid members of the body.
    """

    issues: NotRequired[list[ErrorIssue]]


class NewActivity(TypedDict):
    """
    A new activity, as sent.
    """

    actionIcon: NotRequired[str | None]
    """URL or name of an icon."""

    actionType: str
    """The action, such as `comment.add`."""

    actionUser: Person
    """The actor."""

    changes: NotRequired[NewActivityChanges | None]
    """Changed members."""

    displayMessageTemplate: NotRequired[str | None]
    """The display message, with `{{variable}}` placeholders."""

    displayMessageTemplateData: NotRequired[JsonObject | None]
    """Values of the variables."""

    entityData: NotRequired[Any]
    """Snapshot of the entity."""

    entityTargetData: NotRequired[Any]
    """Snapshot of the target entity."""

    featureType: ActivityFeature
    """The feature."""

    id: NotRequired[ActivityId | None]
    """Generated when absent."""

    isActivityResolverUsed: NotRequired[bool | None]
    """Whether clients render the message."""

    targetEntityId: NotRequired[EntityId | None]
    """The target; required for custom activities."""

    targetSubEntityId: NotRequired[EntityId | None]
    """A part of the target."""


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
    A thread as sent.
    """

    anchor: NotRequired[CommentAnchor | None]
    """The range of a rich text that the service marks with the id of the thread."""

    annotationId: NotRequired[AnnotationId | None]
    """Generated when absent; without colons."""

    assignedTo: NotRequired[Person | None]
    commentData: list[NewComment]
    """Comments of the thread, the first one first."""

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
    """The suggestion; only for the type `suggestion`."""

    targetElement: NotRequired[JsonObject | None]
    """The element the thread is pinned to."""

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
    A notification in replies.
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
    """Data as sent, with `apiKey`, `documentId` and `organizationId`."""

    notificationSource: NotificationSource
    notificationSourceData: JsonObject
    notifyAll: bool
    """Whether all users with access to the document are recipients."""

    notifyUsers: dict[str, bool]
    """Named recipients by user id."""

    notifyUsersByUserId: dict[str, bool]
    """Named recipients by user id, as in `notifyUsers`."""

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
    """Whether users who have read it still find it in their list."""

    readByUserIds: NotRequired[list[UserId] | None]
    """The users who have read it."""


class NotificationPreference(TypedDict):
    config: NotificationChannels
    metadata: NotificationPreferenceScope


class NotificationService(TypedDict):
    """
    The `notificationServiceConfig`; absent members were never set.
    """

    batchConfig: NotRequired[BatchConfig]
    """Batching of notifications."""

    delayConfig: NotRequired[DelayConfig]
    """Delay before a notification."""

    triggers: NotRequired[Triggers]
    """Events that notify, in groups `comment` and `huddle`."""


class NotificationServiceInput(TypedDict):
    """
    The `notificationServiceConfig`; absent members were never set.
    """

    batchConfig: NotRequired[BatchConfigInput | None]
    """Batching of notifications."""

    delayConfig: NotRequired[DelayConfigInput | None]
    """Delay before a notification."""

    triggers: NotRequired[Triggers | None]
    """Events that notify, in groups `comment` and `huddle`."""


class NotificationsAddRequest(TypedDict):
    actionUser: Person
    context: NotRequired[AccessContext | None]
    createDocument: NotRequired[bool | None]
    """Whether to create a missing document."""

    createOrganization: NotRequired[bool | None]
    """Whether to create a missing organization."""

    displayBodyMessage: NotRequired[str | None]
    """Secondary message; required unless a resolver is used."""

    displayBodyMessageTemplate: NotRequired[str | None]
    displayBodyMessageTemplateData: NotRequired[JsonObject | None]
    displayHeadlineMessageTemplate: NotRequired[str | None]
    """Headline with variables in curly brackets; required unless a resolver is used."""

    displayHeadlineMessageTemplateData: NotRequired[JsonObject | None]
    documentId: DocumentId
    isNotificationResolverUsed: NotRequired[bool | None]
    """Whether the caller's client renders the messages."""

    location: NotRequired[JsonObject | None]
    locationId: NotRequired[str | None]
    """The `id` of the location unless sent."""

    metadata: NotRequired[JsonObject | None]
    notificationId: NotRequired[NotificationId | None]
    """Generated when absent."""

    notificationSource: NotRequired[NotificationSource | None]
    notificationSourceData: NotRequired[JsonObject | None]
    notifyAll: NotRequired[bool | None]
    """Whether all users with access to the document are recipients; true unless sent."""

    notifyUsers: list[Person]
    """Recipients by name."""

    organizationId: OrganizationId
    targetAnnotationId: NotRequired[AnnotationId | None]
    verifyUserPermissions: NotRequired[bool | None]
    """Whether to omit users without access to the document."""


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
    all: NotRequired[bool | None]
    """Whether `userId` has read all notifications; without filters."""

    documentId: NotRequired[DocumentId | None]
    """Only if it is about this document."""

    locationId: NotRequired[str | None]
    """Only if it is about this location."""

    notifications: NotRequired[list[NotificationPatch] | None]
    """Required unless `all` is true."""

    organizationId: OrganizationId
    userId: NotRequired[UserId | None]
    """Only if it is addressed to this user."""

    verifyUserPermissions: NotRequired[bool | None]
    """With `userId`: only if that user has access to the document and the thread."""


class OperatorWorkspaceCreateResult(Success):
    data: WorkspaceCreated


class PermissionsAddRequest(TypedDict):
    organizationUserGroupId: NotRequired[GroupId | None]
    """The user group that gets the rights."""

    permissions: NewPermissions
    user: NotRequired[PermissionUser | None]
    """The user who gets the rights; required unless a group is named."""


class PermissionsGetResult(Success):
    data: dict[str, UserPermissions]


class PermissionsRemoveRequest(TypedDict):
    organizationUserGroupId: NotRequired[GroupId | None]
    """The user group that loses the rights."""

    permissions: StrictRemovedPermissions
    userId: NotRequired[UserId | None]
    """The user who loses the rights; required unless a group is named."""


class PresenceGetResult(Success):
    data: list[PresenceUser]
    pageToken: str | None
    """Null on the last page."""


class Reaction(TypedDict):
    """
    A reaction in replies.
    """

    annotationId: AnnotationId
    commentAnnotationId: AnnotationId
    commentId: int
    context: NotRequired[JsonObject]
    fromUsers: list[Reactor]
    icon: str
    involvedUserIds: list[UserId]
    lastUpdated: int
    """Time of the latest choice, in epoch milliseconds."""

    location: NotRequired[Location]
    locationId: NotRequired[int]
    """A hash of `location`."""

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
        'metadata': Whereabouts,
        'mode': RecordingMode,
        'recordedAt': int,
        'recordedTime': NotRequired[RecordedTime],
        'recordingEditVersions': dict[str, RecordingVersion],
        'recordingType': RecordingType,
        'type': Literal['recorder'],
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
    Basic webhook configuration.
    """

    useWebhookService: bool
    """Service switch."""

    webhookServiceConfig: WebhookService
    """URLs and triggers."""


class WebhookConfigResult(Success):
    data: WebhookConfig


class WorkspaceApiKeyConfigGetResult(Success):
    data: ApiKeyConfig


class WorkspaceApiKeyCreateRequest(TypedDict):
    addLocalHostToAllowedDomains: NotRequired[bool | None]
    allowedDomains: NotRequired[list[Domain] | None]
    """Domains whose pages may use the key; all when empty."""

    apiKeyName: NotRequired[str | None]
    """`<local part of the e-mail address> Test API Key` or similar when absent."""

    createAuthToken: NotRequired[bool | None]
    """Whether to create an auth token for it; false when absent."""

    defaultDocumentAccessType: NotRequired[AccessType | None]
    """The access type of documents without one of their own or of their folders; that of the deployment when absent, initially `organizationPrivate`."""

    emailServiceConfig: NotRequired[EmailService | None]
    enablePrivateComments: NotRequired[bool | None]
    ownerEmail: str
    persistenceDBRegion: NotRequired[str | None]
    """The region of its data; only for production keys."""

    realtimeDBRegion: NotRequired[str | None]
    """The region of its realtime data."""

    requireAutoOrgUser: NotRequired[bool | None]
    setDefaultEmailTriggers: NotRequired[bool | None]
    """Whether to enable the default triggers together with mails."""

    setDefaultNotificationTriggers: NotRequired[bool | None]
    """Whether to enable the default triggers together with notifications."""

    type: ApiKeyType
    useEmailService: NotRequired[bool | None]
    useNotificationService: NotRequired[bool | None]
    useWebhookService: NotRequired[bool | None]
    webhookServiceConfig: NotRequired[WebhookService | None]


class ActivitiesAddRequest(TypedDict):
    activities: list[NewActivity]
    """An activity that is sent twice is written as the later entry."""

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
    Activity configuration.
    """

    activityServiceConfig: ActivityService
    """Service configuration."""


class ActivityConfigResult(Success):
    data: ActivityConfig


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
        'customList': NotRequired[list[JsonObject]],
        'editedAt': NotRequired[int],
        'from': Person,
        'isCommentResolverUsed': bool,
        'isCommentTextAvailable': bool,
        'isDraft': bool,
        'isEdited': bool,
        'lastUpdated': str,
        'reactionAnnotationIds': list[AnnotationId],
        'reactionAnnotations': list[Reaction],
        'recorders': NotRequired[list[JsonObject]],
        'sourceType': SourceType,
        'status': CommentStatus,
        'taggedUserContacts': list[CommentContact],
        'to': list[Person],
        'toOrganizationUserGroup': NotRequired[list[MentionedUserGroup]],
        'type': CommentKind,
    },
)


CommentAnnotation = TypedDict(
    'CommentAnnotation',
    {
        'agent': NotRequired[CommentAgent],
        'anchor': NotRequired[CommentAnchor],
        'annotationId': AnnotationId,
        'annotationIndex': NotRequired[int],
        'assignedTo': NotRequired[Person],
        'commentType': CommentType,
        'comments': list[Comment],
        'commentsCount': NotRequired[int],
        'context': NotRequired[JsonObject],
        'createdAt': int,
        'customList': NotRequired[list[JsonObject]],
        'from': Person,
        'hasDraftComments': NotRequired[bool],
        'hasMoreComments': NotRequired[bool],
        'involvedUserIds': list[UserId],
        'isPageAnnotation': NotRequired[bool],
        'lastUpdated': int,
        'location': NotRequired[Location],
        'locationId': NotRequired[int],
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
        'seenAt': NotRequired[int],
        'sourceType': SourceType,
        'status': AnnotationStatus,
        'statusUpdatedByUserId': NotRequired[UserId],
        'subscribedGroups': NotRequired[JsonObject],
        'subscribedUsers': dict[str, AnnotationSubscription],
        'suggestion': NotRequired[Suggestion],
        'targetElement': NotRequired[JsonObject],
        'type': AnnotationType,
        'unread': NotRequired[bool],
        'unsubscribedUsers': dict[str, Unsubscribed],
        'visibilityConfig': Visibility,
    },
)


CommentAnnotationsFoundMap: TypeAlias = dict[str, list[CommentAnnotation]]


class CommentEvent(TypedDict):
    """
    An event of a thread of comments.
    """

    actionType: NotRequired[EventAction]
    """The type without its target."""

    actionUser: NotRequired[Person | None]
    """The actor; null when unknown."""

    annotationId: AnnotationId
    apiKey: ApiKeyId
    commentAnnotation: NotRequired[CommentAnnotation]
    """The thread; for a deletion its state before."""

    commentId: NotRequired[int]
    """Absent for an event of the thread itself."""

    documentId: DocumentId
    metadata: NotRequired[JsonObject]
    """Names and metadata of the document and the organization, at the time of the event."""

    newPriority: NotRequired[AnnotationPriority]
    newStatus: NotRequired[AnnotationStatus]
    oldStatus: NotRequired[AnnotationStatus]
    organizationId: OrganizationId
    platform: NotRequired[Literal['sdk']]
    source: NotRequired[EventSource]
    """The feature."""

    targetComment: NotRequired[Comment]
    """The comment; for a deletion its state before."""

    truncated: NotRequired[bool]
    """True when members were omitted because of the size."""

    visibility: NotRequired[Visibility]
    """Users who see the thread, unless everybody with access to the document does."""


class CommentEventWebhook(TypedDict):
    """
    The common members of every body. A body of more than 256 KiB has only ids in `data`, and `truncated`.
    """

    data: NotRequired[CommentEvent]
    """Absent after the erasure of a user it named."""

    expunged: NotRequired[bool]
    """True after the erasure of a user that `data` named."""

    id: MessageId
    """The id of the message: the same in every attempt."""

    seq: NotRequired[int]
    """The number of the event in its document, from 1 without gaps."""

    timestamp: str
    """Time of the event."""

    type: CommentEventWebhookType


class CommentsAddRequest(TypedDict):
    annotationId: AnnotationId
    commentData: list[NewComment]
    createDocument: NotRequired[bool | None]
    """Whether to create a missing document."""

    createOrganization: NotRequired[bool | None]
    """Whether to create a missing organization."""

    documentId: DocumentId
    organizationId: OrganizationId
    verifyUserPermissions: NotRequired[bool | None]
    """Whether authors need a right to the document."""


class CommentsAnnotationsAddRequest(TypedDict):
    commentAnnotations: list[NewCommentAnnotation]
    createDocument: NotRequired[bool | None]
    """Whether to create a missing document."""

    createOrganization: NotRequired[bool | None]
    """Whether to create a missing organization."""

    documentId: DocumentId
    organizationId: OrganizationId
    verifyUserPermissions: NotRequired[bool | None]
    """Whether authors need a right to the document."""


class CommentsGetResult(Success):
    data: list[Comment | None]
    nextPageToken: NotRequired[str]
    """Absent on the last page."""


class ConfigurationEmailUpdateRequest(TypedDict):
    emailServiceConfig: NotRequired[EmailService | None]
    """Omitted members keep their values."""

    useEmailService: NotRequired[bool | None]
    """Service switch."""


class ConfigurationNotificationsUpdateRequest(TypedDict):
    notificationServiceConfig: NotRequired[NotificationServiceInput | None]
    """Omitted members keep their values."""

    useNotificationService: NotRequired[bool | None]
    """Service switch."""


class EmailConfig(TypedDict):
    """
    Email configuration.
    """

    emailServiceConfig: EmailService
    """Transport and triggers."""

    useEmailService: bool
    """Service switch."""


class EmailConfigResult(Success):
    data: EmailConfig


class Error(TypedDict):
    code: NotRequired[int | str]
    """The status again, for callers of operations that say so: its HTTP number, or a word."""

    details: NotRequired[ErrorDetails]
    message: str
    """One sentence for people."""

    status: ErrorStatus


class ErrorResponse(TypedDict):
    """
    The reply of a failed call.
    """

    error: Error


class NotificationConfig(TypedDict):
    """
    Notification configuration.
    """

    notificationServiceConfig: NotificationService
    """Triggers, delay and batching."""

    useNotificationService: bool
    """Service switch."""


class NotificationConfigResult(Success):
    data: NotificationConfig


class UserData(TypedDict):
    """
    Up to 100 items each.
    """

    comments: list[CommentAnnotation]
    """Threads that name the user, with all comments that do; a long one may be in several pages."""

    notifications: list[Notification]
    """Notifications that name the user."""

    reactions: list[Reaction]
    """Reactions of the user."""

    recordings: list[Recording]
    """Recordings of the user."""


class UserDataGetResult(Success):
    data: UserData
    nextPageToken: str | None
    """Null when there are no more items in any of the lists."""


CommentAnnotationsFound: TypeAlias = list[CommentAnnotation | None] | CommentAnnotationsFoundMap


class CommentsAnnotationsGetResult(Success):
    data: CommentAnnotationsFound
    nextPageToken: str | None
    """Null on the last page."""


WebhookEvent: TypeAlias = CommentEventWebhook | EditorEventWebhook | EndpointEventWebhook | MessageEventWebhook | RecordingEventWebhook
"""The body of a webhook."""
