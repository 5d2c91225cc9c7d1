"""Labels of assessors: judgments, aggregation, scale operations, and the label sets they make."""
