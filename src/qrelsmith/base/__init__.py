"""The common basis: errors, registries, array types, seeds, scales, tables, content."""
