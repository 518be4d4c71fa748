"""OpenClaw: a plugin in its memory slot, and transcripts in a database per agent."""
