"""Agent sessions: the context they receive, capture from them, and the injection ledger."""
