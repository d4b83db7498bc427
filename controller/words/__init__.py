"""The words that people type at a table: dealer, cash, shift and supervisor lines.

One grammar for the control socket, the console and the scenarios. It reads text
into plain values (strings and whole numbers), never into commands of the core.
Imports nothing of the project; runtime, cli and the rigs import it.
"""
