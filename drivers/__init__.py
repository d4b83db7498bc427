"""Device protocols without I/O: frames, messages, sessions, and the ports they run over.

Imported by controller and simulators; imports `hw_config` only.
"""
