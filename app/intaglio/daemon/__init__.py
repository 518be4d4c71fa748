"""The daemon process: lock, port, lifespan, and the composition of all parts."""
