"""What ``agent.yaml`` holds beside single settings, and which keys it may hold at all."""
