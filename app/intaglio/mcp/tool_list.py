"""All tools, by name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from intaglio.mcp.knowledge_tool import KNOWLEDGE_TOOL
from intaglio.mcp.reading_tools import READING_TOOLS
from intaglio.mcp.session_tools import BYPASS_TOOL, FEEDBACK_TOOL
from intaglio.mcp.values import Tool
from intaglio.mcp.writing_tools import WRITING_TOOLS

TOOLS: Final[Mapping[str, Tool]] = MappingProxyType(
    {
        tool.name: tool
        for tool in (*READING_TOOLS, *WRITING_TOOLS, FEEDBACK_TOOL, KNOWLEDGE_TOOL, BYPASS_TOOL)
    }
)
