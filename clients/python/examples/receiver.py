"""A receiver of webhooks, and waiting for the effects of a call."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TypeVar

from roundtable import ApiError, WebhookVerificationError, types, verify_webhook

T = TypeVar("T")


def until(ask: Callable[[], T | None]) -> T:
    """Polls until there is a result: effects of a call follow a moment later."""
    for _ in range(200):
        if (answer := ask()) is not None:
            return answer
        time.sleep(0.05)
    raise SystemExit("no answer came")


def refused(code: str, call: Callable[[], object]) -> bool:
    """Whether a call is refused with this code."""
    try:
        call()
    except ApiError as error:
        return error.code == code
    return False


@contextmanager
def receiver(secrets: list[str], events: list[types.WebhookEvent]) -> Iterator[str]:
    """Receives webhooks, and verifies them with the secrets."""

    class Webhooks(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            try:
                events.append(verify_webhook(body, dict(self.headers.items()), secrets))
                self.send_response(204)
            except WebhookVerificationError:
                self.send_response(400)
            self.end_headers()

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Webhooks) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
