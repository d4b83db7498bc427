"""What hardware a table has: schema, loader and the files we ship.

Imports nothing of the project; everything may import it.
"""
