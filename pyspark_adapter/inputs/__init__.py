"""Where logs lie: paths, patterns, index files, archives, storage of all kinds."""
