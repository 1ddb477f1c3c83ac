"""Writes one network after another; one that cannot be written does not stop the others."""

import traceback
from typing import Callable, Iterable

from safe_load import CheckpointError


def write_all(names: Iterable[str], write: Callable[[str], None], optional: Iterable[str] = ()) -> str | None:
    """Says at once why a network is not written, and returns what is to be said at the end."""
    failed = []
    for name in names:
        try:
            write(name)
            continue
        except ImportError as error:
            reason = f"its code needs the Python package {error.name}" if error.name else str(error)
        except (CheckpointError, SystemExit) as error:
            reason = str(error)
        except Exception as error:
            traceback.print_exc()
            reason = f"{type(error).__name__}: {error}"
        if name in optional:
            reason += " (only VBench-Long and VBench-I2V use it)"
        else:
            failed.append(name)
        print(f"{name:16} not written: {reason}", flush=True)
    return f"Not written, for the reasons above: {', '.join(failed)}." if failed else None
