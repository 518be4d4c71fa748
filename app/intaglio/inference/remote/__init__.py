"""Model servers over HTTP as embedders."""
