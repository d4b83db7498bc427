"""A round to look at: the table drawn at each step, and the page around the drawings.

`data` is the public table that is drawn, `drawing` the pure function from it to HTML,
which knows nothing of a round's page; `page` puts the drawings of a round together.
The screens of the table draw with the same function.
"""
