"""The retention purge: what is over its time goes, one short transaction after the other."""
