"""The ground of every house: errors, registries, array types, seeds, scales, tables, content."""
