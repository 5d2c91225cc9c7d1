"""Untrusted docs as inert HTML, which only shows their text."""
