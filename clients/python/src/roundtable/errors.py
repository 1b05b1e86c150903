"""Errors of calls."""

from typing import Any, Literal

from .generated.types import ErrorIssue, ErrorStatus


class RoundtableError(Exception):
    """The base class of errors of calls; itself when JSON cannot hold the data of a call."""

    def __init__(self, operation: str, message: str) -> None:
        super().__init__(f"{operation}: {message}")
        self.operation = operation
        """The operation, such as `comments.add`."""


class ApiError(RoundtableError):
    """The service refused a call, or failed."""

    def __init__(
        self,
        operation: str,
        status: int,
        code: ErrorStatus | Literal["UNKNOWN"],
        text: str,
        details: Any,
        request_id: str | None,
        retry_after: float | None,
    ) -> None:
        request = f" (request {request_id})" if request_id else ""
        super().__init__(operation, f"{code}: {text}{request}")
        self.status = status
        """HTTP status."""
        self.code = code
        """The error status; `UNKNOWN` if something before the service replied."""
        self.text = text
        """One sentence for people."""
        self.issues: list[ErrorIssue] = (details or {}).get("issues") or []
        """The invalid members of the request, with INVALID_ARGUMENT."""
        self.details: Any = details
        """Further details of the operation, such as rights with NOT_FOUND of permissions."""
        self.request_id = request_id
        """Identifies the call in the logs of the service."""
        self.retry_after = retry_after
        """The delay requested by the service, in seconds."""


class NetworkError(RoundtableError):
    """The reply is missing or incomplete: the call may have been executed. `__cause__` has details."""


class DeadlineError(RoundtableError):
    """The time limit passed before a reply: the call may have been executed."""
