"""The HTTP API: access control, routes and error responses; the rules live in the packages."""
