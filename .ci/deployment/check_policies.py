"""Checks what template.yaml becomes once SAM has expanded it.

Linters read the template as it is written and miss what matters most here: a star in a policy, a
queue without a way out, a function that logs nowhere, a route that the API may not call.
"""

import json
import re
import sys

from samcli.yamlhelper import yaml_parse
from samtranslator.translator.transform import transform

MAX_RESOURCES = 500
MAX_ROUTES = 300
MAX_BYTES = 1_000_000
MAX_REFERENCES = 60
# What Lambda allows a function's name, less the 20 characters that docs/DEPLOY.md allows a stack's.
MAX_NAME = 64 - 20
# A managed policy holds 6,144 characters, and the longest ARN of a function has about 130.
MAX_ARNS = 40
FORTNIGHT = 14 * 24 * 60 * 60

# A star may only stand for the label of a table's stream, which changes when the stream is renewed:
# ListStreams is asked of all of them. And for a connection, with what is asked of it.
STARS = re.compile(r"\$\{\w+Table\.Arn\}/stream/\*|arn:[^*]*:\$\{LiveApi\}/live/\*/@connections/\*")
# Records that are younger when they are given up say nothing that anybody wants to know later.
FLEETING = 300
# X-Ray's actions accept no resource but a star.
STARRED = {"xray:PutTelemetryRecords", "xray:PutTraceSegments"}


class NoManagedPolicies:
    """The translator wants to look these up in AWS; roles here have none."""

    def load(self):
        return {}


def expand(path):
    with open(path, encoding="utf-8") as file:
        template = yaml_parse(file.read())
    for resource in template["Resources"].values():
        # The translator only takes code that has been uploaded.
        if resource["Type"] == "AWS::Serverless::Function":
            resource["Properties"]["CodeUri"] = "s3://bucket/key"
    return template, transform(template, {}, NoManagedPolicies())


def as_list(value):
    return value if isinstance(value, list) else [value]


def target(value):
    """The logical id that a Ref or Fn::GetAtt points to."""
    if isinstance(value, dict):
        if "Ref" in value:
            return value["Ref"]
        if "Fn::GetAtt" in value:
            attribute = value["Fn::GetAtt"]
            return attribute.split(".")[0] if isinstance(attribute, str) else attribute[0]
    return None


def documents(resource):
    """Every policy document of a resource, trust policies included."""
    if isinstance(resource, dict):
        if "Statement" in resource:
            yield resource
        for value in resource.values():
            yield from documents(value)
    elif isinstance(resource, list):
        for value in resource:
            yield from documents(value)


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


class Check:
    def __init__(self, written, expanded):
        self.faults = []
        self.written = written["Resources"]
        self.expanded = expanded
        self.resources = expanded["Resources"]

    def of_type(self, kind):
        return {
            name: resource.get("Properties", {})
            for name, resource in self.resources.items()
            if resource["Type"] == kind
        }

    def need(self, condition, name, what):
        if not condition:
            self.faults.append(f"{name}: {what}")

    def policies(self):
        for name, resource in self.resources.items():
            for document in documents(resource.get("Properties", {})):
                for statement in as_list(document["Statement"]):
                    for banned in ("NotAction", "NotResource", "NotPrincipal"):
                        self.need(banned not in statement, name, f"a statement with {banned}")
                    for action in strings(statement.get("Action", [])):
                        self.need("*" not in action, name, f"action {action}")
                    arns = len(as_list(statement.get("Resource", [])))
                    self.need(arns <= MAX_ARNS, name, f"{arns} resources in one statement, {MAX_ARNS} fit")
                    for where in strings(statement.get("Resource", [])):
                        actions = set(as_list(statement["Action"]))
                        allowed = "*" not in where or STARS.fullmatch(where) or actions <= STARRED
                        self.need(allowed, name, f"resource {where}")
                    for who in strings(statement.get("Principal", [])):
                        self.need("*" not in who, name, f"principal {who}")
        for name, role in self.of_type("AWS::IAM::Role").items():
            self.need("ManagedPolicyArns" not in role, name, "a policy that is not in the template")

    def allowed(self, role, action):
        """The logical ids on which a role may do something."""
        held = [policy["PolicyDocument"] for policy in self.resources[role]["Properties"].get("Policies", [])]
        for policy in self.of_type("AWS::IAM::ManagedPolicy").values():
            if role in map(target, policy.get("Roles", [])):
                held.append(policy["PolicyDocument"])
        for document in held:
            for statement in as_list(document["Statement"]):
                if action in as_list(statement["Action"]):
                    yield from map(target, as_list(statement["Resource"]))

    def functions(self):
        functions = self.of_type("AWS::Lambda::Function")
        groups = self.of_type("AWS::Logs::LogGroup")
        used = {}
        for name, group in groups.items():
            self.need("RetentionInDays" in group, name, "no retention")
        for name, function in functions.items():
            suffix = function["FunctionName"]["Fn::Sub"].removeprefix("${AWS::StackName}")
            self.need(len(suffix) <= MAX_NAME, name, "a name that leaves no room for the stack's")
            logging = function.get("LoggingConfig", {})
            group, role = target(logging.get("LogGroup")), target(function["Role"])
            self.need(group in groups, name, "no log group of this stack")
            self.need(logging.get("LogFormat") == "JSON", name, "logs are not JSON")
            self.need(role in self.resources, name, "no role of this stack")
            if role in self.resources:
                self.need(group in self.allowed(role, "logs:PutLogEvents"), name, "may not write its log")
            self.need(function.get("Architectures") == [{"Ref": "Architecture"}], name, "not for the architecture asked for")
            secrets = {target(value) for key, value in function["Environment"]["Variables"].items() if key.endswith("_SECRET")}
            allowed = set(self.allowed(target(function["Role"]), "secretsmanager:GetSecretValue"))
            self.need(secrets <= allowed, name, "may not read its secrets")
            used.setdefault(target(function["Role"]), set()).update(secrets)
            self.need(function.get("Runtime") == "provided.al2023", name, "another runtime")
        for role in self.of_type("AWS::IAM::Role"):
            idle = set(self.allowed(role, "secretsmanager:GetSecretValue")) - used.get(role, set())
            self.need(not idle, role, "may read a secret that none of its functions has")
        triggers = sum(
            resource["Type"]
            in ("AWS::Lambda::EventSourceMapping", "AWS::Lambda::Permission", "AWS::Scheduler::Schedule", "AWS::Events::Rule")
            for resource in self.resources.values()
        )
        self.need(triggers <= len(functions), "functions", "more than two resources each")

    def queues(self):
        queues = self.of_type("AWS::SQS::Queue")
        functions = self.of_type("AWS::Lambda::Function")
        mappings = self.of_type("AWS::Lambda::EventSourceMapping")
        dead = set()
        for queue in queues.values():
            dead.add(target(queue.get("RedrivePolicy", {}).get("deadLetterTargetArn")))
        for name, mapping in mappings.items():
            self.need(
                mapping.get("FunctionResponseTypes") == ["ReportBatchItemFailures"],
                name,
                "one failure fails the batch",
            )
            source, worker = target(mapping["EventSourceArn"]), target(mapping["FunctionName"])
            if source in queues:
                visible, timeout = queues[source].get("VisibilityTimeout", 30), functions[worker]["Timeout"]
                self.need(visible >= 6 * timeout, source, f"visible after {visible} s, six times {timeout} s is more")
                self.need("ScalingConfig" in mapping, name, "may use all concurrency of the account")
            else:
                failed = target(mapping.get("DestinationConfig", {}).get("OnFailure", {}).get("Destination"))
                fleeting = 0 <= mapping.get("MaximumRecordAgeInSeconds", -1) <= FLEETING
                self.need(failed in queues or fleeting, name, "nowhere for what fails")
                self.need(mapping.get("BisectBatchOnFunctionError"), name, "one record fails the batch")
                self.need(0 <= mapping.get("MaximumRetryAttempts", -1), name, "endless retries")
                self.need(0 <= mapping.get("MaximumRecordAgeInSeconds", -1), name, "endless retries")
                dead.add(failed)
        alarmed = {
            target(dimension["Value"])
            for alarm in self.of_type("AWS::CloudWatch::Alarm").values()
            for dimension in alarm.get("Dimensions", [])
        }
        for name, queue in queues.items():
            self.need(queue.get("SqsManagedSseEnabled"), name, "not encrypted")
            self.need(name in alarmed, name, "no alarm")
            if name in dead:
                self.need(queue.get("MessageRetentionPeriod") == FORTNIGHT, name, "keeps less than 14 days")
            else:
                redrive = queue.get("RedrivePolicy", {})
                self.need(target(redrive.get("deadLetterTargetArn")) in queues, name, "no dead-letter queue")
                self.need(redrive.get("maxReceiveCount", 0) >= 5, name, "gives up before five attempts")

    def tables(self):
        for name, table in self.of_type("AWS::DynamoDB::Table").items():
            resource = self.resources[name]
            recovery = table.get("PointInTimeRecoverySpecification", {})
            self.need(recovery.get("PointInTimeRecoveryEnabled"), name, "no point-in-time recovery")
            self.need(table.get("TimeToLiveSpecification", {}).get("Enabled"), name, "no TTL")
            self.need(table.get("SSESpecification", {}).get("SSEEnabled"), name, "not encrypted")
            self.need(table.get("BillingMode") == "PAY_PER_REQUEST", name, "not on demand")
            self.need("DeletionProtectionEnabled" in table, name, "no deletion protection")
            kept = (resource.get("DeletionPolicy"), resource.get("UpdateReplacePolicy"))
            self.need(kept == ("RetainExceptOnCreate", "Retain"), name, "does not outlive the stack")
            throttled = [
                dimension
                for alarm in self.of_type("AWS::CloudWatch::Alarm").values()
                for metric in alarm.get("Metrics", [])
                for dimension in metric.get("MetricStat", {}).get("Metric", {}).get("Dimensions", [])
            ]
            self.need(any(target(it["Value"]) == name for it in throttled), name, "no alarm")
            for index in table.get("GlobalSecondaryIndexes", []):
                self.need(any(it["Value"] == index["IndexName"] for it in throttled), name, f"no alarm of {index['IndexName']}")

    def routes(self):
        """Every route, and the API may call exactly what they lead to."""
        routes = [
            (path, operation)
            for api in self.of_type("AWS::ApiGatewayV2::Api").values()
            if "Body" in api
            for path, item in api["Body"]["paths"].items()
            for method, operation in item.items()
            # What all methods of a path have in common stands beside them.
            if method != "parameters"
        ]
        called, count = set(), len(routes)
        for path, operation in routes:
            integration = operation["x-amazon-apigateway-integration"]
            callee = re.findall(r"functions/\$\{(\w+)\.Arn\}", str(integration["uri"]))
            self.need(len(callee) == 1, path, "leads to no function")
            self.need(target(integration.get("credentials")) == "ApiRole", path, "not called with ApiRole")
            called.update(callee)
        for name, integration in self.of_type("AWS::ApiGatewayV2::Integration").items():
            callee = re.findall(r"functions/\$\{(\w+)\.Arn\}", str(integration["IntegrationUri"]))
            self.need(len(callee) == 1, name, "leads to no function")
            self.need(target(integration.get("CredentialsArn")) == "ApiRole", name, "not called with ApiRole")
            called.update(callee)
        default = any(operation.get("isDefaultRoute") for _, operation in routes)
        self.need(default, "routes", "no default")
        self.need(count <= MAX_ROUTES, "routes", f"{count} of {MAX_ROUTES}")
        granted = set(self.allowed("ApiRole", "lambda:InvokeFunction"))
        for name in called - granted:
            self.need(False, name, "has a route that the API may not call")
        for name in granted - called:
            self.need(False, name, "has no route, yet the API may call it")
        return count

    def run(self):
        self.policies()
        self.functions()
        self.queues()
        self.tables()
        routes = self.routes()
        total = len(self.resources)
        self.need(total < MAX_RESOURCES, "template", f"{total} resources of {MAX_RESOURCES}")
        size = len(json.dumps(self.expanded, separators=(",", ":")))
        self.need(size < MAX_BYTES, "template", f"{size} bytes of {MAX_BYTES}")
        references = sum(text.count("{{resolve:") for text in strings(self.expanded))
        self.need(references <= MAX_REFERENCES, "template", f"{references} dynamic references of {MAX_REFERENCES}")
        for fault in self.faults:
            print(fault, file=sys.stderr)
        if not self.faults:
            functions = len(self.of_type("AWS::Lambda::Function"))
            print(f"{total} resources, {functions} functions, {routes} routes, {size} bytes, {references} dynamic references: policies hold")
        return 1 if self.faults else 0


if __name__ == "__main__":
    sys.exit(Check(*expand(sys.argv[1])).run())
