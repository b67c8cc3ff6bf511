"""Random changes on real servers, replayed from their logs onto nothing."""
