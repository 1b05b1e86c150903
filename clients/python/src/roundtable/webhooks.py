"""Verification of webhooks."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Iterable, Mapping
from typing import Any, cast

from .generated.types import WebhookEvent


class WebhookVerificationError(Exception):
    """The signature of a webhook is invalid, or the webhook is too old."""


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secrets: str | Iterable[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies a webhook (Standard Webhooks) and returns its event.

    `body` is the body as it came, before any JSON parser. `secrets` is the secret of the endpoint,
    `whsec_…`, or several: while a secret is rotated the service signs with the old and the new one,
    and one match is enough. `tolerance` is how old a webhook may be, and how far in the future, in
    seconds; `now` is the time in epoch seconds, that of the machine unless set.

    A body in base64 (`encodeData`) is decoded; an encrypted one (`encryptData`) is answered as it
    is, for the holder of the private key.

    Raises `WebhookVerificationError`.
    """
    content = body.encode() if isinstance(body, str) else body
    by_name = {name.lower(): value for name, value in headers.items()}
    values = [by_name.get(f"webhook-{name}") for name in ("id", "timestamp", "signature")]
    if not all(values):
        raise WebhookVerificationError("a webhook has the headers webhook-id, webhook-timestamp and webhook-signature")
    identity, timestamp, signatures = cast(list[str], values)
    if not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) <= 15):
        raise WebhookVerificationError("webhook-timestamp is no time")
    age = (time.time() if now is None else now) - int(timestamp)
    if age > tolerance:
        raise WebhookVerificationError("the webhook is too old")
    if age < -tolerance:
        raise WebhookVerificationError("the webhook comes from the future")

    signed = f"{identity}.{timestamp}.".encode() + content
    found = [signature.removeprefix("v1,") for signature in signatures.split(" ") if signature.startswith("v1,")]
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        expected = base64.b64encode(hmac.digest(_key(secret), signed, hashlib.sha256))
        if any(hmac.compare_digest(expected, signature.encode()) for signature in found):
            return _event(content)
    raise WebhookVerificationError("no signature fits")


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key or not secret.startswith("whsec_"):
        raise ValueError("a webhook secret is whsec_ and base64")
    return key


def _event(content: bytes) -> WebhookEvent:
    try:
        event: Any = json.loads(content)
        if isinstance(encoded := event.get("encodedPayload"), str):
            event = json.loads(base64.b64decode(encoded, validate=True))
    except (ValueError, AttributeError) as error:
        raise WebhookVerificationError("the body is no JSON object") from error
    return cast(WebhookEvent, event)
