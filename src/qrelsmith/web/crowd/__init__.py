"""Crowd work: HITs for workers of a crowd platform, with checks and payment, without names."""
