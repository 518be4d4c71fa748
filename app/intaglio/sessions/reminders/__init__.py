"""Save reminders: the agent is asked to save what a message of the user may hold for later."""
