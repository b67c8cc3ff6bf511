"""Where logs are: files, storage, archives, index files."""
