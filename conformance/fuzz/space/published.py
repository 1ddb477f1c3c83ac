"""Loads the published Theory of Space without its heavy modules, and builds its rooms from our scenes."""
import sys
import types
from unittest.mock import MagicMock

# Drawing, training and configuration: nothing that is compared here needs them.
HEAVY = [
    "gymnasium", "matplotlib", "matplotlib.pyplot", "matplotlib.patches", "matplotlib.colors", "matplotlib.ticker",
    "matplotlib.lines", "PIL", "PIL.Image", "PIL.ImageDraw", "PIL.ImageFont", "tqdm", "omegaconf", "scipy", "scipy.stats",
]


class Environment:
    """Stands for gymnasium.Env."""

    np_random = None

    def reset(self, seed=None):
        pass


def load(folder):
    """Makes `vagen.env.spatial` importable. Packages whose own `__init__` starts services stay empty."""
    sys.path.insert(0, folder)
    for name in HEAVY:
        sys.modules[name] = MagicMock(name=name)
    sys.modules["gymnasium"].Env = Environment
    for name in ("DictConfig", "ListConfig"):
        setattr(sys.modules["omegaconf"], name, type(name, (), {}))
    for name in ("vagen", "vagen.env", "vagen.env.spatial"):
        package = types.ModuleType(name)
        package.__path__ = [f"{folder}/{name.replace('.', '/')}"]
        sys.modules[name] = package


def room_of(state):
    from vagen.env.spatial.Base.tos_base.core.room import Room

    return Room.from_dict(state["room"])


def agent_of(state):
    from vagen.env.spatial.Base.tos_base.core.object import Agent

    return Agent.from_dict(state["agent"])
