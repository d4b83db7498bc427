"""Device protocols without I/O: frames, messages, sessions; and the ports for them.

Imported by controller and simulators; imports `hw_config` only.
"""
