"""What the running daemon counts and times, in memory; gone with the process."""
