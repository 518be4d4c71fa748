"""Sessions of harnesses: what they are shown, what is captured, and the ledger of it."""
