"""What a session is told when its agent edits a file that a failed attempt was about."""
