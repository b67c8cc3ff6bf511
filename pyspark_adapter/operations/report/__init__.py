"""One HTML page with pictures of what logs hold."""
