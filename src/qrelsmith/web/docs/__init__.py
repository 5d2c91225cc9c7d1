"""Untrusted docs as inert HTML: it shows their text and does nothing else."""
