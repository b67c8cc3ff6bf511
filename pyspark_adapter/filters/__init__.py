"""Which rows and events of a log are asked for, by the options."""
