"""Claude Code: its hook payloads and replies, its transcripts, and how it is connected."""
