"""The parts of ``agent.yaml`` that aren't single settings: the known keys and the agent roster."""
