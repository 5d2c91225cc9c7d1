"""Preference matrices from preference tests, and the number of tests required (pdp 3.4)."""
