"""Timelines: what happened to a memory, to an entity, in a session, or in a request."""
