"""`intaglio mcp`: serves the memory to MCP clients."""
