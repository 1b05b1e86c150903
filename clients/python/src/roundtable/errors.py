"""What calls raise."""

from typing import Any, Literal

from .generated.types import ErrorIssue, ErrorStatus


class RoundtableError(Exception):
    """Everything that a call raises, except what is wrong with the program itself."""

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
        """Why it failed; `UNKNOWN` where something before the service answered."""
        self.text = text
        """One sentence for people."""
        self.issues: list[ErrorIssue] = (details or {}).get("issues") or []
        """Which members of the request are wrong, with INVALID_ARGUMENT."""
        self.details: Any = details
        """What else the operation says of the failure, such as rights with NOT_FOUND of permissions."""
        self.request_id = request_id
        """Names the call in the logs of the service."""
        self.retry_after = retry_after
        """How long the service asks to be left alone, in seconds."""


class NetworkError(RoundtableError):
    """No reply came, or not all of it: the call may have been made. `__cause__` says more."""


class DeadlineError(RoundtableError):
    """The time for an attempt was over before a reply came: the call may have been made."""
