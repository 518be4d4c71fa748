"""Reads the JSON of a model's reply, whatever stands around it."""

import json


def parse_json(text: str) -> object:
    """Return the JSON value in a reply; None if there is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
