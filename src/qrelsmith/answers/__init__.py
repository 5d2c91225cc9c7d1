"""Answers of systems to topics, and the aspects by which they are judged."""
