"""The controller as a process, played by robots over pseudo-terminals, with all faults.

What the virtual table proves of the parts in hours that pass in a moment, this shows of
the whole in real time: real ports, a real journal, real kills. Devices, people, faults
and witnesses are those of the virtual table.
"""
