"""Programs that judge: their settings, tokens, work and labels."""
