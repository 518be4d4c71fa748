"""The pipeline of language models: its stages, calls and proposals."""
