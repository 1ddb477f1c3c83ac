"""The checkpoints of the published evaluator: where it downloads them from, and how they get to their place.

What is interrupted continues where it stopped. Checksums are compared where the publisher states them.
"""

import hashlib
import os
import shutil
import sys
import time
import zipfile
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

HUB = (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")
CLIP = "https://openaipublic.azureedge.net/clip/models"
CLIP_B32 = "40d365715913c9da98579312b702a82c18be219cc2a73407c4526f58eba950af"
CLIP_L14 = "b8cca3fd41ae0c99ba7e8951adf17d267cdb84cd88be6f7c2e0eca1737a03836"
ATTEMPTS = 5
STALLED_SECONDS = 60


@dataclass
class Origin:
    url: str
    sha256: str = ""
    """Its beginning, as far as the publisher states it."""
    member: str | None = None
    """The file in the archive that is downloaded."""


ORIGINS = {
    "dino_model/dino_vitbase16_pretrain.pth": Origin(
        "https://dl.fbaipublicfiles.com/dino/dino_vitbase16_pretrain/dino_vitbase16_pretrain.pth"
    ),
    "clip_model/ViT-B-32.pt": Origin(f"{CLIP}/{CLIP_B32}/ViT-B-32.pt", CLIP_B32),
    "clip_model/ViT-L-14.pt": Origin(f"{CLIP}/{CLIP_L14}/ViT-L-14.pt", CLIP_L14),
    "aesthetic_model/emb_reader/sa_0_4_vit_l_14_linear.pth": Origin(
        "https://raw.githubusercontent.com/LAION-AI/aesthetic-predictor/main/sa_0_4_vit_l_14_linear.pth"
    ),
    "pyiqa_model/musiq_spaq_ckpt-358bb6af.pth": Origin(
        "https://github.com/chaofengc/IQA-PyTorch/releases/download/v0.1-weights/musiq_spaq_ckpt-358bb6af.pth", "358bb6af"
    ),
    "raft_model/models/raft-things.pth": Origin(
        "https://dl.dropboxusercontent.com/s/4j4z58wuv8o0mfz/models.zip", member="models/raft-things.pth"
    ),
    "amt_model/amt-s.pth": Origin(f"{HUB}/lalala125/AMT/resolve/main/amt-s.pth"),
    "ViCLIP/ViClip-InternVid-10M-FLT.pth": Origin(
        f"{HUB}/OpenGVLab/VBench_Used_Models/resolve/main/ViClip-InternVid-10M-FLT.pth"
    ),
    "umt_model/l16_ptk710_ftk710_ftk400_f16_res224.pth": Origin(
        f"{HUB}/OpenGVLab/VBench_Used_Models/resolve/main/l16_ptk710_ftk710_ftk400_f16_res224.pth"
    ),
    "grit_model/grit_b_densecap_objectdet.pth": Origin(
        f"{HUB}/OpenGVLab/VBench_Used_Models/resolve/main/grit_b_densecap_objectdet.pth"
    ),
    "caption_model/tag2text_swin_14m.pth": Origin(
        f"{HUB}/spaces/xinyu1205/recognize-anything/resolve/main/tag2text_swin_14m.pth"
    ),
}


def fetch(folder: Path, name: str) -> None:
    """Downloads a checkpoint to where the published evaluator keeps it."""
    origin, place = ORIGINS[name], folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    if origin.member is None:
        return download(origin.url, place, origin.sha256)
    archive = place.with_name(place.name + ".zip")
    download(origin.url, archive, origin.sha256)
    part = place.with_name(place.name + ".unpacked")
    with zipfile.ZipFile(archive) as opened, opened.open(origin.member) as inside, part.open("wb") as file:
        shutil.copyfileobj(inside, file)
    part.replace(place)
    archive.unlink()


def download(url: str, place: Path, sha256: str = "") -> None:
    part = place.with_name(place.name + ".part")
    print(f"{place.name} from {url}", flush=True)
    for attempt in range(ATTEMPTS):
        try:
            continue_download(url, part)
            break
        except (OSError, HTTPException) as error:
            is_final = isinstance(error, HTTPError) and error.code < 500 and error.code not in (408, 429)
            if is_final or attempt == ATTEMPTS - 1:
                sys.exit(f"{url} cannot be downloaded: {error}. The same command continues; or put it at {place} yourself.")
            time.sleep(2**attempt)
    found = hashlib.sha256()
    with part.open("rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    if not found.hexdigest().startswith(sha256):
        part.unlink()
        sys.exit(f"{url} does not have the published checksum: it begins with {found.hexdigest()[:8]}, not {sha256[:8]}.")
    part.replace(place)


def continue_download(url: str, part: Path) -> None:
    had = part.stat().st_size if part.is_file() else 0
    request = Request(url, headers={"Range": f"bytes={had}-"} if had else {})
    try:
        answer = urlopen(request, timeout=STALLED_SECONDS)
    except HTTPError as error:
        # Nothing is behind the end of a whole file.
        if had and error.code == 416:
            return
        raise
    with answer:
        # A server that sends everything instead of the rest starts again.
        continues = answer.status == 206
        stated = answer.headers.get("Content-Length")
        with part.open("ab" if continues else "wb") as file:
            shutil.copyfileobj(answer, file, 1 << 20)
        whole = (had if continues else 0) + int(stated or 0)
        if stated and part.stat().st_size != whole:
            raise OSError(f"the connection ended after {part.stat().st_size} of {whole} bytes")
