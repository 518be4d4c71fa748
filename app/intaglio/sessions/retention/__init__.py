"""What becomes of the ledger and of sessions when their time is over."""
