"""Verifies captured webhooks with the PyPI libraries standardwebhooks and svix."""

import json
import sys

import standardwebhooks
import svix.webhooks

with open(sys.argv[1], encoding="utf-8") as file:
    lines = [json.loads(line) for line in file]

for module in (standardwebhooks, svix.webhooks):
    for line in lines:
        verifier = module.Webhook(line["secret"])
        verifier.verify(line["body"], line["headers"])
        if json.loads(line["body"])["id"] != line["headers"]["webhook-id"]:
            raise SystemExit("the body tells another id")
        try:
            verifier.verify(line["body"] + " ", line["headers"])
        except module.WebhookVerificationError:
            continue
        raise SystemExit("a changed body was verified")
    print(f"{module.__name__} (PyPI): {len(lines)} verified, as many forgeries refused")
