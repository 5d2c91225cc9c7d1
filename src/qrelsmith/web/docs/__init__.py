"""Untrusted docs as HTML that does nothing but show their words."""
