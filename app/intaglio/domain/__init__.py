"""The closed unions of the domain, which the HTTP API and the packages share."""
