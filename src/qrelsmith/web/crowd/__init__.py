"""HITs for pseudonymous workers of a crowd platform, with attention checks and payment."""
