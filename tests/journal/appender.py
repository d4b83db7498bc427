"""A process that appends as fast as it can, to be killed: `appender.py JOURNAL SEED`.

It writes the last sequence of each commit to standard output, once committed.
"""

import os
import random
import sys
from pathlib import Path

from controller.journal.store import Store
from tests.journal.journals import SIMULATION, opened, round_rows, row

CHECKPOINT_EVERY = 20


def main(path: Path, seed: int) -> None:
    """Append batches of one to forty rows until killed."""
    chance = random.Random(seed)
    with Store.open(path, SIMULATION) as store:
        if store.head.sequence == 0:
            store.append([opened()])
        for number in range(1, 1_000_000):
            rows = round_rows(number, chance.randrange(40)) if number % 5 else [row()]
            committed = store.append(rows).stop - 1
            os.write(sys.stdout.fileno(), b"%d\n" % committed)
            if number % CHECKPOINT_EVERY == 0:
                store.checkpoint()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
