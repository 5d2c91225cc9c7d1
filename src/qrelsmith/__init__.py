"""Build and audit test collections for search."""

__version__ = "0.1.0"
