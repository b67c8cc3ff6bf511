"""The schema against the official tools' text, over the corpus and the samples."""
