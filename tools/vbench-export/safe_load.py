"""Reads checkpoints of PyTorch without running what is in them.

A checkpoint is a pickle, and a pickle names functions to call. Here it gets tensors and plain containers; whatever else it
names (settings, optimizers, counters of a training) becomes a placeholder that does nothing. `torch.load` cannot do that in
all versions that the published code runs with: `weights_only=True` refuses checkpoints with such things in them, runs
programs of TorchScript before 2.6, and 1.13 ignores `pickle_module`.
"""

import collections
import os
import pickle
import struct
import zipfile
from pathlib import Path

MAGIC = 0x1950A86A20F9469CFC6C
"""The first number in files of PyTorch before 1.6."""
STORAGES = {
    "BFloat16Storage": "bfloat16",
    "BoolStorage": "bool",
    "ByteStorage": "uint8",
    "CharStorage": "int8",
    "DoubleStorage": "float64",
    "FloatStorage": "float32",
    "HalfStorage": "float16",
    "IntStorage": "int32",
    "LongStorage": "int64",
    "ShortStorage": "int16",
}


class CheckpointError(Exception):
    """A file that is not a checkpoint, or one that cannot be read safely."""


class Placeholder:
    """Stands for whatever is not a tensor."""

    def __new__(cls, *_, **__):
        return super().__new__(cls)

    def ignore(self, *_, **__):
        pass

    __init__ = __call__ = __setitem__ = __setstate__ = add = append = extend = update = ignore


class Unpickler(pickle.Unpickler):
    def __init__(self, file, storage=None):
        super().__init__(file, encoding="utf-8")
        self.storage = storage

    def find_class(self, module, name):
        if (module, name) == ("collections", "OrderedDict"):
            return collections.OrderedDict
        if module in ("torch", "torch.cuda") and name in STORAGES:
            return STORAGES[name]
        if module == "torch._utils" and name in ("_rebuild_tensor", "_rebuild_tensor_v2"):
            return lambda values, offset, size, stride, *_: values.as_strided(size, stride, offset)
        if module == "torch._utils" and name == "_rebuild_parameter":
            return lambda tensor, *_: tensor
        return Placeholder

    def persistent_load(self, given):
        kind, dtype, key, _, count, *view = given
        if kind != "storage" or dtype not in STORAGES.values():
            raise CheckpointError("it refers to something else than values")
        values = self.storage(dtype, str(key), count)
        if view and view[0] is not None:
            _, offset, size = view[0]
            return values[offset : offset + size]
        return values


def read(given):
    """The content of a checkpoint, given as a path or as a file."""
    if not hasattr(given, "read"):
        with Path(given).open("rb") as file:
            return read(file)
    name = getattr(given, "name", "The checkpoint")
    try:
        return read_zip(given) if zipfile.is_zipfile(given) else read_legacy(given)
    # A damaged file can lead to any error of pickle, zipfile or PyTorch.
    except Exception as error:
        raise CheckpointError(f"{name} cannot be read as a checkpoint of PyTorch: {error or type(error).__name__}.") from error


def read_zip(file):
    import torch

    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
        pickled = next((name for name in names if name.endswith("/data.pkl")), None)
        if pickled is None:
            raise CheckpointError("the archive has no data.pkl")
        folder = pickled[: -len("data.pkl")]
        if folder + "constants.pkl" in names:
            raise CheckpointError("it is a program of TorchScript")
        known = {}

        def storage(dtype, key, count):
            if key not in known:
                entry = archive.getinfo(f"{folder}data/{key}")
                kind = getattr(torch, dtype)
                if entry.compress_type != zipfile.ZIP_STORED or entry.file_size != count * size_of(kind):
                    raise CheckpointError(f"{entry.filename} does not have the stated size")
                known[key] = values_of(archive.read(entry), kind)
            return known[key]

        with archive.open(pickled) as inside:
            return Unpickler(inside, storage).load()


def read_legacy(file):
    import torch

    file.seek(0, os.SEEK_END)
    bytes_of_file = file.tell()
    file.seek(0)
    if Unpickler(file).load() != MAGIC:
        raise CheckpointError("it does not begin like one")
    for _ in ("version of the format", "byte order"):
        Unpickler(file).load()
    known = {}

    def storage(dtype, key, count):
        kind = getattr(torch, dtype)
        if count * size_of(kind) > bytes_of_file:
            raise CheckpointError(f"it states {count} values, more than it can have")
        if key not in known:
            known[key] = torch.empty(count, dtype=kind)
        return known[key]

    found = Unpickler(file, storage).load()
    for key in Unpickler(file).load():
        values = known[str(key)]
        (count,) = struct.unpack("<q", file.read(8))
        if count != values.numel():
            raise CheckpointError(f"it has {count} values where it states {values.numel()}")
        content = file.read(count * size_of(values.dtype))
        if len(content) < count * size_of(values.dtype):
            raise CheckpointError("its end is missing")
        values.copy_(values_of(content, values.dtype))
    return found


def size_of(dtype):
    import torch

    return torch.empty(0, dtype=dtype).element_size()


def values_of(content, dtype):
    import torch

    return torch.frombuffer(bytearray(content), dtype=dtype) if content else torch.empty(0, dtype=dtype)


def guard_torch() -> None:
    """From here on, `torch.load` of the published code and its packages reads checkpoints in this way."""
    import torch

    torch.load = lambda file, *_, **__: read(file)
