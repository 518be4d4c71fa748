"""The agents that share the memory: the roster, what each may read, and how requests name them."""
