"""Device protocols without I/O, and the ports that they run over.

Imported by controller and simulators; imports `hw_config` only.
"""
