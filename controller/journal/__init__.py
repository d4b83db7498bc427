"""The durable record: SQLite store, hash chain, codec and the escrow of secrets.

Imports `controller.core`; evidence, runtime and cli import it.
"""
