"""`intaglio timeline` and `intaglio telemetry`."""
