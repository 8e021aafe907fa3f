"""What a paper is worth to this reader, in which order, and why."""
