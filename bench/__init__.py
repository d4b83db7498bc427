"""How fast we are, each figure beside a floor taken in the same run.

Nothing of the product imports this. A floor is what the machine, or a far simpler
program, can do at best; a ratio to it says more than seconds do.
"""
