"""Pages of untrusted docs: one parser for what people see and what models read."""
