"""Runs Python programs with CPython: what they print, and the type, message and line of what ends them."""
import io
import re
import sys
import traceback
import warnings

from driver import serve

warnings.simplefilter("ignore")
try:
    import numpy

    numpy.seterr(all="ignore")
    if int(numpy.__version__.split(".")[0]) >= 2:
        # Scalars print as they did before numpy 2.
        numpy.set_printoptions(legacy="1.25")
except ImportError:
    numpy = None

FLOAT = re.compile(r"(-?\d+\.\d*(?:e[+-]\d+)?|-?\d+e[+-]\d+)")


def tokens(text):
    """Texts and floats in turn: floats are compared as numbers."""
    parts = FLOAT.split(text)
    return [float(part) if i % 2 else part for i, part in enumerate(parts)]


def run(case):
    """The program is in the file named `program`, so that lines of tracebacks are its own."""
    if numpy is None and "numpy" in case["source"]:
        return None
    out = io.StringIO()
    error = None
    try:
        code = compile(case["source"], "program", "exec")
    except SyntaxError:
        return {"output": [""], "error": ["SyntaxError"]}
    before, sys.stdout = sys.stdout, out
    try:
        exec(code, {"__name__": "__main__"})
    except Exception as raised:
        frames = [frame for frame in traceback.extract_tb(raised.__traceback__) if frame.filename == "program"]
        error = [type(raised).__name__.lstrip("_"), tokens(str(raised)), frames[-1].lineno]
    finally:
        sys.stdout = before
    return {"output": tokens(out.getvalue()), "error": error}


if __name__ == "__main__":
    serve(run)
