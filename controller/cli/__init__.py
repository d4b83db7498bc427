"""The command line, one module a command.

Nothing imports it but the `tablectl` entry point.
"""
