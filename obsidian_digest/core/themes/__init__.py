"""Which papers belong together, for how long, and under which name."""
