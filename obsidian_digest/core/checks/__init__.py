"""What `status`, `doctor`, `lint` and the check of templates look at."""
