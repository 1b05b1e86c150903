"""Written by clients/generate from openapi.json."""
