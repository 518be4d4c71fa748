"""What a language model adds to the graph: aspects of facts, dependencies, names of one entity."""
