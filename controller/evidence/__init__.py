"""What the journal proves: a round rebuilt, a journal verified.

Imports journal and core; runtime and cli import it.
"""
