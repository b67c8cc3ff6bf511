"""The character sets of MySQL and MariaDB."""
