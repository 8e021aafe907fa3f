"""The reader's own history replayed, and what it proves."""
