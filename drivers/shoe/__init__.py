"""The reference shoe: messages, codec, session.

Imported by the runtime and by the simulated shoe.
"""
