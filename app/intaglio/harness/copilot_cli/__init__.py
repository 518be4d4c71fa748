"""GitHub Copilot CLI: its hooks, its transcripts, and how it is connected."""
