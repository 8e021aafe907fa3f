"""What has to be fetched, whether it can be believed, and every paper of it once."""
