"""The checkpoints of the published evaluator: where it downloads them from, and how they get to their place.

An interrupted download resumes if the server still has the same file. Checksums are compared where the publisher states
them: in the address, in the file's name, or (the Hub) in a header.
"""

import hashlib
import os
import re
import shutil
import sys
import time
import zipfile
import zlib
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

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
    try:
        with zipfile.ZipFile(archive) as opened, opened.open(origin.member) as inside, part.open("wb") as file:
            shutil.copyfileobj(inside, file)
    except (zipfile.BadZipFile, KeyError, EOFError, zlib.error):
        archive.unlink()
        part.unlink(missing_ok=True)
        sys.exit(f"{origin.url} sent no zip archive with {origin.member}. Try again later, or save that file as {place}.")
    part.replace(place)
    archive.unlink()


def download(url: str, place: Path, sha256: str = "") -> None:
    if not is_protected(url):
        sys.exit(f"{url} is not an https address. The published evaluator runs code in checkpoints, so check HF_ENDPOINT.")
    part = place.with_name(place.name + ".part")
    stated = ""
    print(f"{place.name} from {url}", flush=True)
    for attempt in range(ATTEMPTS):
        try:
            stated = continue_download(url, part)
            break
        except (OSError, HTTPException) as error:
            is_final = isinstance(error, HTTPError) and error.code < 500 and error.code not in (408, 429)
            if is_final or attempt == ATTEMPTS - 1:
                sys.exit(
                    f"{url} could not be downloaded: {error}. "
                    f"Run the same command again to resume, or save the file as {place}."
                )
            time.sleep(2**attempt)
    digest = hashlib.sha256()
    with part.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    found = digest.hexdigest()
    for published in (sha256, stated):
        if not found.startswith(published):
            part.unlink()
            version_of(part).unlink(missing_ok=True)
            sys.exit(f"{url} does not have the published checksum: it begins with {found[:8]}, not {published[:8]}.")
    if not sha256 and not stated:
        print(
            f"{place.name} could not be verified: its publisher states no checksum. Only its tensors are read here; the "
            f"published evaluator would run code in it. SHA-256 of what arrived: {found}",
            flush=True,
        )
    part.replace(place)
    version_of(part).unlink(missing_ok=True)


def continue_download(url: str, part: Path) -> str:
    """Downloads what is missing of `part`, or all of it if the server has another file now.

    Returns the SHA-256 that the server states, or nothing.
    """
    note = version_of(part)
    had = part.stat().st_size if part.is_file() else 0
    version = note.read_text() if had and note.is_file() else ""
    headers = {"Range": f"bytes={had}-", "If-Range": version} if version else {}
    redirects = Redirects()
    try:
        answer = build_opener(redirects).open(Request(url, headers=headers), timeout=STALLED_SECONDS)
    except HTTPError as error:
        if not version or error.code != 416:
            raise
        # There is nothing behind the end of a complete file.
        if error.headers.get("Content-Range") == f"bytes */{had}" and is_version(error.headers, version):
            return redirects.sha256
        part.unlink()
        return continue_download(url, part)
    with answer:
        stated = answer.headers.get("Content-Length")
        whole = int(stated) if stated else None
        if answer.status == 206:
            span = re.fullmatch(r"bytes (\d+)-\d+/(\d+)", answer.headers.get("Content-Range", ""))
            if not version:
                raise OSError("the server sent a part of the file that was not asked for")
            if span is None or int(span[1]) != had or not is_version(answer.headers, version):
                part.unlink()
                return continue_download(url, part)
            whole = int(span[2])
        with part.open("ab" if answer.status == 206 else "wb") as file:
            if answer.status != 206:
                note.write_text(validator(answer.headers))
            shutil.copyfileobj(answer, file, 1 << 20)
        size = part.stat().st_size
        if whole is not None and size != whole:
            raise OSError(f"the connection ended after {size} of {whole} bytes")
        return redirects.sha256 or linked_sha256(answer.headers)


class Redirects(HTTPRedirectHandler):
    """Follows redirects to protected addresses. The Hub states checksums before it redirects to where its files are."""

    sha256 = ""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        self.sha256 = self.sha256 or linked_sha256(headers)
        if not is_protected(newurl):
            raise HTTPError(newurl, code, "it redirects to an address without https", headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def linked_sha256(headers: Message) -> str:
    """The SHA-256 of a large file on the Hub. Of small ones the header has another hash."""
    value = headers.get("X-Linked-ETag", "").strip('"').lower()
    return value if re.fullmatch("[0-9a-f]{64}", value) else ""


def version_of(part: Path) -> Path:
    """Where it is noted which version of a file the server had when its download began."""
    return part.with_name(part.name + ".version")


def validator(headers: Message) -> str:
    """What `If-Range` takes: an entity tag, if it is strong, or a date."""
    tag = headers.get("ETag", "")
    return tag if tag.startswith('"') else headers.get("Last-Modified", "")


def is_version(headers: Message, version: str) -> bool:
    """For servers that ignore `If-Range`. An answer to it need not repeat the version."""
    return validator(headers) in ("", version)


def is_protected(url: str) -> bool:
    """Whether nobody on the way can change what arrives."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    is_here = host in ("localhost", "::1") or re.fullmatch(r"127\.\d+\.\d+\.\d+", host) is not None
    return parts.scheme == "https" or (parts.scheme == "http" and is_here)
