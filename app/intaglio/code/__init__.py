"""What the checked-out code of projects defines, and where memories stand in it."""
