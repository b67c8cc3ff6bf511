"""What decoded rows are compared with: SELECT, the official tools' text, and replay."""
