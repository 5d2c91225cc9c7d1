"""Pages of untrusted docs: people and models get the content from the same parser."""
