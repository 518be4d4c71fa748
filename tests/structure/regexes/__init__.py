"""Checks that every regular expression of the package takes linear time."""
