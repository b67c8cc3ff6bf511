"""Speed of the decoder beside its peers, on logs made by a real server."""
