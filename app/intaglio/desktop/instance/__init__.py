"""One desk for each user: a lock, and the channel by which a second launch reaches the first."""
