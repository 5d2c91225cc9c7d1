"""Readers of text, CSV, JSON lines, Parquet and TOML, and atomic writers."""
