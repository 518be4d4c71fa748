"""`intaglio inbox`: suggested memories and contradictions, and the decisions on them."""
