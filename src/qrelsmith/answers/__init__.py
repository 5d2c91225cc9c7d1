"""Answers of systems to topics, and the aspects by which answers are judged."""
