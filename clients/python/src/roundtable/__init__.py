"""Client of Roundtable: comments, notifications, presence, shared editors and related resources."""

from ._call import CallOptions, Settings
from .client import AsyncRoundtable, Roundtable
from .credentials import ApiKey, Credentials, EndUser, Operator, Workspace
from .errors import ApiError, DeadlineError, NetworkError, RoundtableError
from .generated import types
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "ApiError",
    "ApiKey",
    "AsyncRoundtable",
    "CallOptions",
    "Credentials",
    "DeadlineError",
    "EndUser",
    "NetworkError",
    "Operator",
    "Roundtable",
    "RoundtableError",
    "Settings",
    "WebhookVerificationError",
    "Workspace",
    "types",
    "verify_webhook",
]
