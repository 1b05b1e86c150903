"""What tests share."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeVar

from roundtable import ApiKey, Operator, Roundtable, Settings, Workspace

T = TypeVar("T")
BASE = os.environ.get("BASE", "")
QUICK = Settings(backoff=0.001)


def new_key(base: str = BASE) -> Roundtable:
    """A client of a new API key."""
    admin = Roundtable(BASE, Operator(os.environ.get("ADMIN_TOKEN", "")))
    made = admin.operator.workspace_create({"ownerEmail": "owner@example.com"})["data"]
    api_key = next(iter(made["apiKeyList"]))
    workspace = admin.as_(Workspace(made["id"], made["authToken"]))
    tokens = workspace.workspace.auth_tokens_get({"apiKey": api_key})["data"]
    admin.close()
    return Roundtable(base, ApiKey(api_key, tokens["authTokens"][0]["token"]), QUICK)


class Handler(BaseHTTPRequestHandler):
    """A request with its body."""

    protocol_version = "HTTP/1.1"

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"content-length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def cut(self) -> None:
        """Closes the connection without a word more."""
        self.close_connection = True
        self.connection.close()

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def serve(answer: Callable[[Handler], None]) -> Iterator[str]:
    """An HTTP server; its address."""

    class Answering(Handler):
        def do_POST(self) -> None:
            answer(self)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def until(ask: Callable[[], T | None]) -> T:
    """Asks until there is an answer, for at most 20 seconds."""
    for _ in range(400):
        if (answer := ask()) is not None:
            return answer
        time.sleep(0.05)
    raise AssertionError("no answer came")
