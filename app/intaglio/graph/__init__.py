"""The graph: entities, their structure and the edges between them, read from memories."""
