"""`intaglio pipeline`: what a language model does with memories and sessions."""
