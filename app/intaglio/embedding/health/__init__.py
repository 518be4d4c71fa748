"""The health of the embeddings, and their repairs."""
