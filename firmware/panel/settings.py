"""What differs from panel to panel; edit this file before copying it to a board."""

ADDRESS = 3
"""Its address on the bus, 1 to 247. By custom its seat, and 32 for the dealer's."""

ROLE = 3
"""Its seat, 1 to 7, or 0 for the dealer's panel."""
