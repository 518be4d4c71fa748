"""The structs of the HTTP API, shared by api, client and cli; nothing else lives here."""
