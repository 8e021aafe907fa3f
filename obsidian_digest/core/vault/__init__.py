"""What the vault holds and where: places, properties, what earlier notes tell, templates."""
