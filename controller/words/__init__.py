"""The words that people type at a table: dealer, cash, shift and supervisor lines.

One grammar for the control socket, the console and the scenarios. It reads text
into the core's own commands and decisions; what words alone do not say (who a
person is, what a ruleset holds) is filled in by `commands`. Imports the core alone;
runtime, cli and the rigs import it.
"""
