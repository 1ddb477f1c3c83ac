"""Writes one network after another; one that cannot be written does not stop the others."""

import traceback
from typing import Callable, Iterable

from safe_load import CheckpointError


class Missing(SystemExit):
    """The code or the checkpoint of a network is not on this machine."""


def write_all(names: Iterable[str], write: Callable[[str], None], optional: Iterable[str] = ()) -> str | None:
    """Prints at once why a network is not written, and returns the error to end with. Optional ones may be missing."""
    failed = []
    for name in names:
        try:
            write(name)
            continue
        except ModuleNotFoundError as error:
            reason, is_missing = f"its code needs the Python package {error.name}", True
        except (CheckpointError, ImportError, SystemExit) as error:
            reason, is_missing = str(error), isinstance(error, Missing)
        except Exception as error:
            traceback.print_exc()
            reason, is_missing = f"{type(error).__name__}: {error}", False
        if is_missing and name in optional:
            reason += " (only VBench-Long and VBench-I2V use it)"
        else:
            failed.append(name)
        print(f"{name:16} not written: {reason}", flush=True)
    return f"Not written, for the reasons above: {', '.join(failed)}." if failed else None
