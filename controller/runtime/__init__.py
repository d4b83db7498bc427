"""The process that owns the table: devices, inbox, engine, control socket.

Imports everything below; only `controller.cli` and the rigs import it.
"""
