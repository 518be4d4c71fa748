"""Statistics: what was learned, told and used per day, as counts without any text."""
