"""The request and reply structs of the HTTP API, shared by api, client and cli."""
