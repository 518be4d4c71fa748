"""What is found out about the graph in the background, after memories have been linked."""
