"""Which notes point to each other, and what a link says."""
