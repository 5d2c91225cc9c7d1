"""From preference tests to preference matrices, and how many tests that takes (pdp 3.4)."""
