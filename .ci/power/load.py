"""A service under load, whose answers and webhooks are remembered."""

import http.server
import json
import subprocess
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PORT, CALLERS = 3931, 8
URL = f"http://127.0.0.1:{PORT}"
IDS = {"organizationId": "acme", "documentId": "welcome"}


def post(path, headers, data):
    request = urllib.request.Request(URL + path, json.dumps({"data": data}).encode(), headers)
    with urllib.request.urlopen(request, timeout=10) as reply:
        return json.loads(reply.read())["result"]["data"]


class Receiver(http.server.BaseHTTPRequestHandler):
    """Remembers the texts of comments in webhooks."""

    seen = set()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        self.seen.update(part.split(" ")[0] for part in body.split("text-")[1:])
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def wait(process):
    """Until the service answers."""
    for _ in range(600):
        try:
            return urllib.request.urlopen(URL + "/health", timeout=1).read()
        except OSError:
            assert process.poll() is None, "the service did not start"
            time.sleep(0.05)
    raise SystemExit("the service does not answer")


def binary(argument):
    """The service to try: the one that is named, or that of this source."""
    if argument is None:
        subprocess.run(["cargo", "build", "--quiet", "--locked"], check=True, cwd=ROOT)
    return argument or str(ROOT / "target/debug/roundtable")


def workspace(data):
    """The credentials of a new API key with a document, whose webhooks a receiver gets."""
    admin = {"x-service-admin-token": (data / "admin-token").read_text()}
    made = post("/v2/workspace/create", admin, {"ownerEmail": "you@example.com"})
    own = {"x-service-workspace-id": made["id"], "x-service-workspace-auth-token": made["authToken"]}
    key = post("/v2/workspace/apikey/create", own, {"ownerEmail": "you@example.com", "type": "testing", "createAuthToken": True})
    key = key["apiKey"]
    tokens = json.dumps(post("/v2/workspace/authtokens/get", own, {"apiKey": key}))
    headers = {"x-service-api-key": key, "x-service-auth-token": tokens.split('"token": "')[1].split('"')[0]}
    receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    post("/v2/organizations/documents/add", headers, {"organizationId": "acme", "createOrganization": True, "documents": [{"documentId": "welcome"}]})
    post("/v2/workspace/advancedwebhookconfig/update", headers, {"isEnabled": True})
    post("/v2/workspace/advancedwebhook/endpoints/create", headers, {"url": f"http://127.0.0.1:{receiver.server_port}/"})
    return headers


class Load:
    """Callers that add comments until the service is gone; `answered` has names and ids."""

    def __init__(self, headers, part):
        self.headers, self.part, self.answered = headers, part, []
        self.callers = [threading.Thread(target=self.call, args=(caller,)) for caller in range(CALLERS)]
        for caller in self.callers:
            caller.start()

    def call(self, caller):
        at = 0
        while True:
            name = f"{self.part}-{caller}-{at}"
            comment = {"commentText": f"text-{name} ", "from": {"userId": "ada", "name": "Ada"}}
            try:
                made = post("/v2/commentannotations/add", self.headers, IDS | {"commentAnnotations": [{"commentData": [comment]}]})
            except (OSError, ValueError, KeyError):
                return
            (entry,) = made.values()
            self.answered.append((name, entry["annotationId"]))
            at += 1

    def end(self):
        for caller in self.callers:
            caller.join()


def missing(headers, answered):
    """The names of comments that are not there."""
    found = set()
    for at in range(0, len(answered), 30):
        wanted = [annotation for _, annotation in answered[at : at + 30]]
        try:
            got = post("/v2/commentannotations/get", headers, IDS | {"annotationIds": wanted})
        except urllib.error.HTTPError:
            continue  # The API key is lost, too.
        found.update(entry["annotationId"] for entry in got if entry)
    return [name for name, annotation in answered if annotation not in found]


def late(names):
    """The names whose webhook does not come within five minutes."""
    for _ in range(600):
        if names <= Receiver.seen:
            break
        time.sleep(0.5)
    return names - Receiver.seen
