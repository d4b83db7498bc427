"""What MicroPython runs at the start; lies beside the folder `panel` on the board."""

from panel.main import run

run()
