"""What maps of memories cost, how true they are and how still they stand."""
