"""Programs that judge: their settings, their tokens, what they are to judge, and their labels."""
