"""What is done with a deployment: calls of every operation, and a comment that is followed to where it
is delivered."""

import base64
import hashlib
import hmac
import http.server
import json
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

# What answers something else than 200 to its sample: a path of nobody, a link of nobody.
STATUS = {"gateway-unknown": 404, "emails-unsubscribe": 404}

# What an item of a batch says that was not done.
FAILED = b'"success":false'


def own_address():
    """An address of this machine that is not loopback, which webhooks never go to."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return probe.getsockname()[0]


def eventually(what, look, seconds=60):
    """What `look` finds, once it finds something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.5)
    raise SystemExit(f"{what} did not come within {seconds} s")


class Sink(threading.Thread):
    """A receiver of webhooks."""

    def __init__(self):
        super().__init__(daemon=True)
        received = self.received = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                received.append((dict(self.headers), body))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer((own_address(), 0), Handler)
        self.url = "http://%s:%d/" % self.server.server_address
        self.start()

    def run(self):
        self.server.serve_forever()


class Story:
    """A workspace of a deployment."""

    def __init__(self, api, admin, work, root):
        self.api, self.admin, self.work, self.root = api, admin, work, root
        made = self.post("/v2/workspace/create", {"ownerEmail": "o@example.com"}, {"x-service-admin-token": admin})
        self.workspace = {"x-service-workspace-id": made["id"], "x-service-workspace-auth-token": made["authToken"]}
        key = self.post("/v2/workspace/apikey/create", {"ownerEmail": "o@example.com", "type": "testing", "createAuthToken": True}, self.workspace)
        self.key = {"x-service-api-key": key["apiKey"]}
        self.renew()

    def renew(self):
        """The present token of the key: after a rotation another text."""
        key = self.key["x-service-api-key"]
        tokens = self.post("/v2/workspace/authtokens/get", {"apiKey": key}, self.workspace)
        self.key = {"x-service-api-key": key, "x-service-auth-token": tokens["authTokens"][0]["token"]}
        self.works("with the token that is shown")

    def reset(self):
        """A new token works at once, although functions remember the key with the one of before."""
        self.works("before a reset")
        self.post("/v2/workspace/authtoken/reset", {"apiKey": self.key["x-service-api-key"]}, self.workspace)
        self.renew()

    def raw(self, path, body, headers, method="POST"):
        request = urllib.request.Request(self.api + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return reply.status, reply.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def post(self, path, data, headers=None):
        status, reply = self.raw(path, json.dumps({"data": data}).encode(), headers or self.key)
        assert status == 200 and FAILED not in reply, f"{path} answered {status} {reply[:500]}"
        return json.loads(reply)["result"].get("data")

    def status(self):
        return self.raw("/v2/organizations/get", b'{"data":{}}', self.key)[0]

    def works(self, when):
        assert self.status() == 200, f"{when}, the token is refused with {self.status()}"

    def call_every_sample(self):
        token, folder = self.work / "admin-token", self.work / "events"
        token.write_text(self.admin)
        token.chmod(0o600)
        fill = ["cargo", "xtask", "event", "--url", self.api, "--admin-token-file", token, "--out", folder]
        subprocess.run(fill, check=True, cwd=self.root)
        failed, called = [], 0
        for file in sorted(Path(folder).glob("*.json")):
            event = json.loads(file.read_text())
            if "rawPath" not in event:
                continue
            called += 1
            method, body = event["requestContext"]["http"]["method"], event.get("body")
            status, reply = self.raw(event["rawPath"], body and body.encode(), event["headers"], method)
            if status != STATUS.get(file.stem, 200) or FAILED in reply:
                failed.append(f"{file.stem} answered {status} {reply[:300]}")
        print("\n".join(failed + [f"{called - len(failed)} of {called} operations answered their samples"]), flush=True)
        assert not failed

    def prepare(self):
        self.post("/v2/organizations/add", {"organizations": [{"organizationId": "acme"}]})
        self.post("/v2/organizations/folders/add", {"organizationId": "acme", "folders": [{"folderId": "f", "folderName": "F"}]})
        self.post("/v2/organizations/documents/add", {"organizationId": "acme", "folderId": "f", "documents": [{"documentId": "d", "documentName": "Plan"}]})
        users = [{"userId": it, "name": it.title(), "email": f"{it}@example.com"} for it in ("ada", "bob")]
        self.post("/v2/users/add", {"organizationId": "acme", "users": users})
        self.post("/v2/workspace/notificationconfig/update", {"useNotificationService": True})
        self.post("/v2/workspace/emailconfig/update", {"useEmailService": True})
        self.post("/v2/workspace/advancedwebhookconfig/update", {"isEnabled": True})
        self.sink = Sink()
        made = self.post("/v2/workspace/advancedwebhook/endpoints/create", {"url": self.sink.url, "filterTypes": ["comment_annotation.add"]})
        self.endpoint = made["id"]
        self.secret = self.post("/v2/workspace/advancedwebhook/endpoints/secret/get", {"endpointId": self.endpoint})

    def comment(self, thread):
        comment = {"from": {"userId": "ada"}, "commentText": "Look, @bob", "triggerNotification": True, "taggedUserContacts": [{"userId": "bob"}]}
        page = {"url": "https://app.example.com/d"}
        self.post("/v2/commentannotations/add", {"organizationId": "acme", "documentId": "d", "commentAnnotations": [{"annotationId": thread, "commentData": [comment], "pageInfo": page}]})

    def inbox(self):
        return self.post("/v2/notifications/get", {"organizationId": "acme", "userId": "bob"})

    def mails(self):
        with urllib.request.urlopen(self.api.split("/_aws/")[0] + "/_ministack/ses/messages") as reply:
            by_account = json.loads(reply.read())["messages"]
        return [mail for mails in by_account.values() for mail in mails]

    def follow_a_comment(self, thread="t1"):
        if thread == "t1":
            self.prepare()
        mails, notices, started = len(self.mails()), len(self.inbox()), time.monotonic()
        self.sink.received.clear()
        self.comment(thread)
        headers, body = eventually("the webhook", lambda: self.sink.received and self.sink.received[-1])
        print(f"webhook after {time.monotonic() - started:.1f} s")
        headers = {name.lower(): value for name, value in headers.items()}
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        secret = base64.b64decode(self.secret["secret"].removeprefix("whsec_"))
        wanted = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
        assert f"v1,{wanted}" in headers["webhook-signature"].split(" "), "a wrong signature"
        eventually("the notification", lambda: len(self.inbox()) > notices)
        print(f"notification after {time.monotonic() - started:.1f} s")
        eventually("the mail", lambda: len(self.mails()) > mails, 120)
        print(f"mail after {time.monotonic() - started:.1f} s", flush=True)

    def move_the_clock(self):
        self.delay(True)
        known = len(self.inbox())
        self.comment("t2")
        time.sleep(2)
        assert len(self.inbox()) == known, "a notification came before its time"
        started = time.monotonic()
        self.post("/v2/workspace/testclock/advance", {"seconds": 3700})
        eventually("the delayed notification", lambda: len(self.inbox()) > known, 90)
        print(f"delayed notification after {time.monotonic() - started:.1f} s", flush=True)
        self.delay(False)

    def delay(self, is_enabled):
        delay = {"isEnabled": is_enabled, "delaySeconds": 3600}
        self.post("/v2/workspace/notificationconfig/update", {"notificationServiceConfig": {"delayConfig": delay}})

    def opens_secrets(self):
        again = self.post("/v2/workspace/advancedwebhook/endpoints/secret/get", {"endpointId": self.endpoint})
        assert again == self.secret, "a secret of the tenant does not open"
