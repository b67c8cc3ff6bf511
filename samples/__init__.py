"""Small binary logs written by real servers, and the script that makes them."""
