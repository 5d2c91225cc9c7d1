"""Untrusted docs as inert HTML, which shows only text."""
