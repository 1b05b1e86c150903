"""MiniStack as an AWS account that enforces the roles of functions, and what has to be mended in it.

Everything in FAULTS is a fault of the emulator, not of the template: each entry says what AWS does.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "target/trial"
PORT = 4599
URL = f"http://127.0.0.1:{PORT}"
REGION = "us-east-1"
MINISTACK = "ministack==1.5.33"
WEBSOCKETS = "websockets==15.0.1"
SAM = "aws-sam-cli==1.170.0"

# File, what stands there, and what AWS does instead.
FAULTS = [
    # Alarms over several metrics are taken; nothing here looks at their state.
    (
        "services/cloudformation/provisioners.py",
        'if props.get("Metrics"):\n        raise ValueError(',
        'if props.get("Metrics"):\n        props = dict(props, MetricName="math", Namespace="math")\n    if False:\n        raise ValueError(',
    ),
    # ExcludePunctuation holds for secrets of templates, too.
    (
        "services/cloudformation/provisioners.py",
        'exclude = gen.get("ExcludeCharacters", "")',
        'exclude = gen.get("ExcludeCharacters", "") + (_string.punctuation if gen.get("ExcludePunctuation") else "")',
    ),
    # A secret of a template is known by its ARN.
    ("services/cloudformation/provisioners.py", 'return name, {"Id": arn, "Arn": arn}', 'return arn, {"Id": arn, "Arn": arn}'),
    (
        "services/cloudformation/provisioners.py",
        "secret = _sm._secrets.get(physical_id)\n    replaced = ",
        "_, secret = _sm._resolve(physical_id)\n    replaced = ",
    ),
    (
        "services/cloudformation/provisioners.py",
        "secret = _sm._secrets.get(physical_id)\n    if secret",
        "physical_id, secret = _sm._resolve(physical_id)\n    if secret",
    ),
    # A path of an input transformer may have an index: $.detail.mail.tags.k[0].
    (
        "services/eventbridge.py",
        'parts = jpath.strip("$.").split(".")',
        'parts = [int(p) if p.isdigit() else p for p in jpath.strip("$.").replace("[", ".").replace("]", "").split(".")]',
    ),
    ("services/eventbridge.py", "                if p:\n                    val = val[p]", '                if p != "":\n                    val = val[p]'),
    # A deployment of a WebSocket API is a type of resource; routes are served without one here.
    (
        "services/cloudformation/provisioners.py",
        '    "AWS::ApiGatewayV2::Authorizer": {',
        '''    "AWS::ApiGatewayV2::Deployment": {
        "create": lambda logical_id, props, stack_name: (logical_id, {"DeploymentId": logical_id}),
        "delete": lambda physical_id, props: None,
    },
    "AWS::ApiGatewayV2::Authorizer": {''',
    ),
    # A batch of statements needs the right of each, on its table.
    (
        "core/iam_actions.py",
        'if iam_action not in ("dynamodb:TransactWriteItems", "dynamodb:TransactGetItems"):',
        '''if iam_action == "dynamodb:BatchExecuteStatement":
        rights = {"INSERT": "dynamodb:PartiQLInsert", "UPDATE": "dynamodb:PartiQLUpdate"}
        texts = [it["Statement"] for it in json.loads(body)["Statements"]]
        table = lambda text: _dynamodb_table_arn(text.split('"')[1], region, account_id)
        return [(rights[text.split()[0]], table(text)) for text in texts]
    if iam_action not in ("dynamodb:TransactWriteItems", "dynamodb:TransactGetItems"):''',
    ),
    # Batches of SQS need the right to the single action; SES asks for the identity of the sender.
    (
        "core/iam_actions.py",
        "def access_denied_response(",
        '''_action, _resource = extract_iam_action, extract_resource_arn


def extract_iam_action(*args, **named):
    action = _action(*args, **named)
    batch = action and action.startswith("sqs:") and action.endswith("Batch")
    return action.removesuffix("Batch") if batch else action


def extract_resource_arn(service, method, path, *args, **named):
    found = _resource(service, method, path, *args, **named)
    if path.rstrip("/").endswith("/v2/email/outbound-emails"):
        return f"arn:aws:ses:us-east-1:000000000000:identity/{os.environ['MAIL_IDENTITY']}"
    return found


def access_denied_response(''',
    ),
]


def environment():
    """What commands need to take the emulator for AWS."""
    return {
        **os.environ,
        "AWS_ENDPOINT_URL": URL,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_REGION": REGION,
        "SAM_CLI_TELEMETRY": "0",
    }


def venv(name, *requirements):
    """A virtual environment with these requirements; answers with its directory."""
    path, mark = WORK / name, WORK / f"{name}.requirements"
    if not mark.exists() or mark.read_text() != " ".join(requirements):
        shutil.rmtree(path, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", path], check=True)
        subprocess.run([path / "bin/pip", "install", "-q", "--disable-pip-version-check", *requirements], check=True)
        mark.write_text(" ".join(requirements))
    return path


def sam():
    return venv("sam", SAM)


def ministack():
    """MiniStack with its faults mended."""
    path = venv("ministack", MINISTACK, WEBSOCKETS, "aws-sam-translator", "boto3", "awscli")
    package = next(path.glob("lib/python3*/site-packages/ministack"))
    for file, fault, cure in FAULTS:
        text = (package / file).read_text()
        if cure not in text:
            assert text.count(fault) == 1, f"{file}: {fault!r} is not there once"
            (package / file).write_text(text.replace(fault, cure))
    return path


class Account:
    """An account in a process of its own, empty at first."""

    def __init__(self, mail_identity):
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", PORT)), f"port {PORT} is taken"
        path = ministack()
        self.log = open(WORK / "ministack.log", "w", encoding="utf-8")
        settings = {
            **environment(),
            "AUTH": "true",
            "GATEWAY_PORT": str(PORT),
            "STATE_DIR": str(WORK / "state"),
            "MAIL_IDENTITY": mail_identity,
            "LAMBDA_WARM_TTL_SECONDS": "600",
        }
        # Not of this process: functions have the authorities of Amazon Linux elsewhere.
        self.process = subprocess.Popen([path / "bin/ministack"], env=settings, cwd=WORK, stdout=self.log, stderr=subprocess.STDOUT)
        for _ in range(120):
            try:
                urllib.request.urlopen(f"{URL}/_ministack/health", timeout=2).read()
                return
            except OSError:
                assert self.process.poll() is None, "the emulator ended; see ministack.log"
                time.sleep(0.5)
        raise SystemExit("the emulator does not start")

    def close(self):
        self.process.terminate()
        self.process.wait(30)
