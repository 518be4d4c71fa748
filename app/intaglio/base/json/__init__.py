"""Reading JSON that others wrote: odd characters, odd values and very long texts lose nothing."""
