"""What writes the documents that are made from the code: `make docs`.

Imports everything, is imported by tests alone, and is no part of the product.
"""
