"""Crowd work: HITs for workers who come from a platform, checked, paid, and never known by name."""
