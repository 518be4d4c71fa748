"""The supervisor: a pure state machine, and the hands that carry out what it decides."""
