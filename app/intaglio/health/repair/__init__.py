"""Runs the repairs that packages declare: policy gate, audit, undo, and maintenance."""
