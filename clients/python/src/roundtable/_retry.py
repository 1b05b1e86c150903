"""Retries of calls."""

import random
from email.utils import parsedate_to_datetime
from time import time

import httpx

from .errors import ApiError, RoundtableError

MAX_BACKOFF = 8.0
"""Maximum delay of a retry in seconds, unless the service requests more."""


def api_error(operation: str, reply: httpx.Response) -> ApiError:
    """An error reply."""
    headers = reply.headers
    request_id = headers.get("x-request-id") or headers.get("apigw-requestid")
    rest = (request_id, _retry_after(headers.get("retry-after")))
    try:
        error = reply.json()["error"]
        details = error.get("details")
        return ApiError(operation, reply.status_code, error["status"], error["message"], details, *rest)
    except (ValueError, TypeError, LookupError, AttributeError):
        text = "the reply is not one of the service"
        return ApiError(operation, reply.status_code, "UNKNOWN", text, None, *rest)


def is_transient(error: RoundtableError) -> bool:
    """Whether a retry may succeed. For RESOURCE_EXHAUSTED, only after a rate limit, not a quota."""
    if not isinstance(error, ApiError):
        return True
    is_quota = error.code == "RESOURCE_EXHAUSTED" and error.retry_after is None
    return error.status >= 500 or error.code == "ABORTED" or (error.status == 429 and not is_quota)


def wait(error: RoundtableError, retry: int, backoff: float) -> float:
    """Seconds before a retry.

    A random part of a time that doubles, so that many clients do not come back at once, and never
    less than the service asks for.
    """
    seconds = random.random() * min(backoff * 2.0**retry, MAX_BACKOFF)
    asked = error.retry_after if isinstance(error, ApiError) else None
    return max(seconds, asked or 0.0)


def _retry_after(header: str | None) -> float | None:
    if header is None:
        return None
    try:
        seconds = float(header) if header.isdecimal() else parsedate_to_datetime(header).timestamp() - time()
    except ValueError:
        return None
    return max(seconds, 0.0)
