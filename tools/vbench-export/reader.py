"""Frames by ffmpeg where decord is not installed."""

import importlib.machinery
import json
import subprocess
import sys
import types

import numpy
import torch


class Bridge:
    """Batches are arrays of decord's own, or tensors where the published code asks for them."""

    tensors = False

    @classmethod
    def set_bridge(cls, name):
        cls.tensors = name == "torch"


class FfmpegReader:
    """What the published code uses of decord, by ffmpeg, where decord is not installed."""

    def __init__(self, path, num_threads=1, width=-1, height=-1, **_):
        probe = ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_streams", "-of", "json", path]
        stream = json.loads(subprocess.run(probe, capture_output=True).stdout)["streams"][0]
        over, under = stream["avg_frame_rate"].split("/")
        self.fps = int(over) / int(under)
        scale = [] if width == -1 else ["-vf", f"scale={width}:{height}:flags=bilinear"]
        size = (stream["height"], stream["width"]) if width == -1 else (height, width)
        read = ["ffmpeg", "-v", "quiet", "-i", path, *scale, "-pix_fmt", "rgb24", "-fps_mode", "passthrough"]
        raw = subprocess.run([*read, "-f", "rawvideo", "pipe:1"], capture_output=True).stdout
        self.frames = numpy.frombuffer(raw, numpy.uint8).reshape(-1, *size, 3)

    def __len__(self):
        return len(self.frames)

    def get_avg_fps(self):
        return self.fps

    def get_batch(self, places):
        chosen = self.frames[list(places)]
        if Bridge.tensors:
            return torch.from_numpy(chosen)
        return types.SimpleNamespace(asnumpy=lambda: chosen)

    def __getitem__(self, place):
        return types.SimpleNamespace(asnumpy=lambda: self.frames[place])


def with_reader() -> None:
    """The published code imports decord everywhere; it need not be installed."""
    try:
        import decord
    except ImportError:
        decord = None
    if getattr(decord, "__file__", None) is None:
        stand_in = types.ModuleType("decord")
        stand_in.__dict__.update(VideoReader=FfmpegReader, cpu=lambda *_: None, bridge=Bridge)
        # Other packages ask whether it is installed.
        stand_in.__spec__ = importlib.machinery.ModuleSpec("decord", None)
        sys.modules["decord"] = stand_in
