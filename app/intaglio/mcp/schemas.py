"""Describes a tool as ``tools/list`` does."""

from typing import Any

import msgspec

from intaglio.mcp.values import Tool


def describe(tool: Tool) -> dict[str, Any]:
    """Return a tool's name, description, JSON schema of its arguments, and hints for clients."""
    (_,), definitions = msgspec.json.schema_components([tool.arguments])
    found: dict[str, Any] = definitions[tool.arguments.__name__]
    schema = {
        "type": "object",
        "properties": {
            name: {"type": "string", **described} if "enum" in described else described
            for name, described in found["properties"].items()
        },
        "required": found["required"],
        "additionalProperties": False,
    }
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": schema,
        "annotations": {
            "readOnlyHint": not tool.writes,
            "destructiveHint": tool.removes,
            "idempotentHint": not tool.writes,
            "openWorldHint": False,
        },
    }
