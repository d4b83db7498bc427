"""The table: rules, order of play, journal and the process that runs them.

Only `simulators` may import it.
"""
