"""Effects: each file is the only door to one outside thing."""
