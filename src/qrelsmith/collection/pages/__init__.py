"""Pages of untrusted docs: one parse for what people are shown and what models read."""
