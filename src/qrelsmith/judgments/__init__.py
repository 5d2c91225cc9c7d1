"""Labels of assessors: judgments, aggregation, scale operations, and the resulting label sets."""
