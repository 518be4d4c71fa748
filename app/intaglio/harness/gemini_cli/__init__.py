"""Gemini CLI: what its hooks send and take, its transcripts, and how it is connected."""
