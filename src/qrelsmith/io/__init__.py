"""Text, CSV, JSON lines, Parquet and TOML in, and files that appear whole or not at all."""
