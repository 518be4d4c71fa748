"""The daemon's process: its lock, its port, its life, and the one place where all is composed."""
