"""HITs: pairs bundled for crowd platforms, and the returned results."""
