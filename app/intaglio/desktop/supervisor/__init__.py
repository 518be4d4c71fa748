"""The daemon's supervisor: a pure state machine, and the code that carries out its effects."""
