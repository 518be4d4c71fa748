"""What prompts are told of commits: choice, wording, ledger."""
