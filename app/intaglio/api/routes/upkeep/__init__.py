"""Endpoints of what goes on in the background: the queue, the vectors as a whole, repairs."""
