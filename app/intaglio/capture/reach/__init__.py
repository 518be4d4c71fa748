"""What a statement binds: one run, its project, or all of the user's projects."""
