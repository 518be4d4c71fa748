"""Takes back all that came from one source: a session, an import, a file, an agent, a tool."""
