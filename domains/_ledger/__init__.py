"""What the tools stand on: the database, its schema and seed, money, dates, look-ups. Not a namespace."""
