"""The Model Context Protocol: tools with which agents search and save memories by themselves."""
