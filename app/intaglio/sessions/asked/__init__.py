"""What a prompt or an agent's query asks, apart from what was pasted into it."""
