"""What users said in sessions: it becomes memories and suggestions, and is their evidence."""
