"""The test collection: runs, qrels, topics, docs and pools, as files and as frozen objects."""
