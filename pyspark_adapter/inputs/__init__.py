"""Sources of logs: paths, patterns, index files, archives, local and remote storage."""
