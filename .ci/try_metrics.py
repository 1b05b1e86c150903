"""Reads the metrics of a running service, and the expressions of ops/."""

import json
import math
import subprocess
import sys
import time
import urllib.error
import urllib.request

import promql_parser
import yaml
from prometheus_client.parser import text_string_to_metric_families

GATEWAY, METRICS, *BACKUP = sys.argv[1:]


def post(path):
    request = urllib.request.Request(GATEWAY + path, data=b'{"data":{}}')
    try:
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as refused:
        return refused.code


def scrape():
    """Each series with its value, and the type of each family."""
    text = urllib.request.urlopen(METRICS).read().decode()
    series, types = {}, {}
    for family in text_string_to_metric_families(text):
        assert family.documentation and family.name not in types, family
        types[family.name] = family.type
        for sample in family.samples:
            key = sample.name, tuple(sorted(sample.labels.items()))
            assert key not in series and math.isfinite(sample.value), sample
            series[key] = sample.value
    return series, types


def check_histograms(series, types):
    for name, kind in types.items():
        if kind != "histogram":
            continue
        buckets = {}
        for (sample, labels), value in series.items():
            if sample == name + "_bucket":
                bound = float(dict(labels)["le"])
                others = tuple(label for label in labels if label[0] != "le")
                buckets.setdefault(others, []).append((bound, value))
        for labels, found in buckets.items():
            values = [value for _, value in sorted(found)]
            assert values == sorted(values), (name, labels)
            assert values[-1] == series[name + "_count", labels], (name, labels)


def check_counts():
    before, types = scrape()
    check_histograms(before, types)
    refused = {post("/v2/users/get") for _ in range(7)}
    assert len(refused) == 1, refused
    assert {post("/v2/users/got") for _ in range(7)} == {404}
    subprocess.run(BACKUP, check=True, stdout=subprocess.DEVNULL)
    time.sleep(1.1)
    after, types = scrape()
    check_histograms(after, types)

    def more(name, **labels):
        key = name, tuple(sorted(labels.items()))
        return after[key] - before.get(key, 0)

    calls = "http_server_request_duration_seconds_count"
    assert more(calls, operation="users.get", status=str(*refused)) == 7
    assert more(calls, operation="other", status="404") == 7
    assert after["roundtable_ready", ()] == 1
    assert after["roundtable_backup_age_seconds", ()] < 5
    lags = [value for (name, _), value in after.items() if name == "roundtable_stream_lag_seconds"]
    assert lags and max(lags) < 10, lags
    for database in ("dynamodb", "sqs"):
        labels = (("database", database),)
        assert after["roundtable_database_bytes", labels] > 4096
        assert after["roundtable_sync_seconds_count", labels] > 0
    for (name, labels), value in before.items():
        if types.get(name.removesuffix("_total")) == "counter" or name.endswith("_count"):
            assert after[name, labels] >= value, (name, labels)
    return len(after)


def check_expressions():
    with open("ops/prometheus-rules.yaml") as file:
        groups = yaml.safe_load(file)["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    for rule in rules:
        assert rule.keys() <= {"alert", "expr", "for", "labels", "annotations"}, rule
    with open("ops/grafana-dashboard.json") as file:
        panels = json.load(file)["panels"]
    shown = [target["expr"] for panel in panels for target in panel["targets"]]
    for expression in [rule["expr"] for rule in rules] + shown:
        filled = expression.replace("$__rate_interval", "5m").replace("$instance", ".*")
        promql_parser.parse(filled)
    return len(rules), len(shown)


print(f"{check_counts()} series are read, and 7 calls are 7")
print("{} alarms and {} graphs are PromQL".format(*check_expressions()))
