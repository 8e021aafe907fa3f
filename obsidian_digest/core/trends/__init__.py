"""What several papers say at once, and what grows or fades from week to week."""
