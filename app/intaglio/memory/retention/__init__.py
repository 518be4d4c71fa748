"""What becomes of tombstones and history when their time is over; what was forgotten stays so."""
