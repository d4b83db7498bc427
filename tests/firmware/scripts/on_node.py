"""Runs under MicroPython: the panel, with parts that reach out through node."""

import binascii

import wire
from panel.loop import start
from panel.messages import Who


class NodeParts:
    """Parts that node holds; see run.mjs."""

    def now_ms(self) -> int:
        return int(wire.now_ms())

    def closed(self) -> int:
        return int(wire.closed())

    def show(self, lamps: int) -> None:
        print(lamps)  # node hands it on

    def light(self, on: int) -> None:
        pass

    def read(self, into: bytearray) -> int:
        data = binascii.unhexlify(wire.read(len(into)))
        into[: len(data)] = data
        return len(data)

    def send(self, frame: bytes) -> None:
        wire.send(binascii.hexlify(frame).decode())

    def feed(self) -> None:
        pass


turn = start(NodeParts(), Who(3, 3, "RP2040-10", "E660583883724A32"), wire.boot_id).turn
