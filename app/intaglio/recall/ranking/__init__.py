"""Ranking: combines the signals of all candidates into an order, and cuts off the noise."""
