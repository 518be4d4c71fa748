"""Registers the MCP program with harnesses, in their own lists of MCP servers."""
