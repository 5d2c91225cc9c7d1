"""Readers of text, CSV, JSON lines, Parquet and TOML, and writers that are atomic."""
