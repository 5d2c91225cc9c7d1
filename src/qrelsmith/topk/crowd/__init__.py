"""HITs: pairs bundled for crowd platforms, and what comes back from there."""
