"""Lets published code be imported where its heavy packages are missing: each missing module is an empty stand-in."""
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from unittest.mock import MagicMock


class _StandIn(MagicMock):
    __path__ = []
    __spec__ = None


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Asked last, so it only sees modules that nothing else finds."""

    def __init__(self, roots):
        self.roots = roots

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] not in self.roots:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return _StandIn(name=spec.name)

    def exec_module(self, module):
        pass


def stand_in(*roots):
    sys.meta_path.append(_Finder(set(roots)))


def load(name, path):
    """One file as a module, without the rest of its package."""
    spec = importlib.util.spec_from_file_location(name, Path(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
