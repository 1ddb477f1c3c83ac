"""Serves published code to the fuzz harness: one case of JSON per line in, one result per line out."""
import contextlib
import json
import math
import sys


def serve(run):
    """`run(case)` returns a JSON value. An exception is a result too: its type is compared."""
    out = sys.stdout
    for line in sys.stdin:
        case = json.loads(line)
        try:
            # Published code prints; what it prints is not its result.
            with contextlib.redirect_stdout(sys.stderr):
                result = {"value": plain(run(case))}
        except RecursionError:
            raise
        except Exception as error:
            result = {"raises": type(error).__name__, "message": str(error)[:200]}
        out.write(json.dumps(result, allow_nan=False) + "\n")
        out.flush()


def plain(value):
    """Non-finite numbers as text, numpy scalars and tuples as JSON has them."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value
