"""Telemetry: events of the daemon's work, stored on this machine and sent nowhere."""
