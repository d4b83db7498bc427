"""Checkers that stand outside the core and hold what it does against the rules.

They see what devices and people did, the records, and what the table shows; what
they compare with they work out anew, with code of their own. Rigs and tests may
import them.
"""
