"""Files in, frozen objects out, and back."""
