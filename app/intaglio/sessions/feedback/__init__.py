"""What sessions say of the memories they were shown."""
