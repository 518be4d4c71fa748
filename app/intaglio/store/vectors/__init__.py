"""The index of vectors: one-bit marks in memory, rescored by the stored rows; rows are memory's."""
