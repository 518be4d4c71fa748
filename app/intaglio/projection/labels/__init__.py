"""The labels of a map: clusters of its points with the words that tell them apart."""
