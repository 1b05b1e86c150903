"""`cargo run` with its embedded AWS, and the samples filled with its test data."""

import json
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from emulated_aws import ROOT, WORK

GATEWAY, AWS = 3921, 3922


def wait(port, process):
    """Until something answers at this port."""
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=1).read()
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            assert process.poll() is None, f"what should listen on {port} ended"
            time.sleep(0.02)
    raise SystemExit(f"nothing listens on {port}")


class Embedded:
    """The service with an empty data folder."""

    def __enter__(self):
        WORK.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cargo", "build", "--quiet", "--locked", "--package", "roundtable", "--package", "xtask"], check=True, cwd=ROOT)
        self.folder = tempfile.TemporaryDirectory()
        self.log = WORK / "embedded.log"
        self.service = subprocess.Popen(
            ["cargo", "run", "--quiet", "--locked", "--", "--port", str(GATEWAY), "--aws-port", str(AWS), "--data-dir", self.folder.name],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=open(self.log, "wb"),
        )
        try:
            wait(GATEWAY, self.service)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.service.terminate()
        self.service.wait(10)
        self.folder.cleanup()

    def variables(self):
        """The settings of functions that run on this machine, and not in containers."""
        variables = json.loads(Path(self.folder.name, "env.json").read_text())["Parameters"]
        variables = {key: value.replace("host.docker.internal", "127.0.0.1") for key, value in variables.items()}
        return variables | {"AWS_REGION": "us-east-1"} | self.credentials()

    def credentials(self):
        """What its DynamoDB, SQS and SES want to see, but for the role."""
        session_token = Path(self.folder.name, "aws-session-token").read_text()
        return {"AWS_SECRET_ACCESS_KEY": "local", "AWS_SESSION_TOKEN": session_token}

    def samples(self, *names):
        """The sample events of these functions, in this order."""
        fill = ["cargo", "xtask", "event", "--url", f"http://127.0.0.1:{GATEWAY}", "--admin-token-file", f"{self.folder.name}/admin-token"]
        subprocess.run([*fill, "--out", f"{self.folder.name}/events", *names], check=True, cwd=ROOT)
        return [Path(self.folder.name, f"events/{name}.json").read_bytes() for name in names]
