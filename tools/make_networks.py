"""Make the networks that ship with mahc out of the BIF files in the pgmpy 0.1.26 wheel.

    python tools/make_networks.py pgmpy-0.1.26-py3-none-any.whl

Same wheel and same zlib, same bytes: the gzip header holds neither time nor name.
"""

from __future__ import annotations

import gzip
import hashlib
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

from mahc.networks.files import NETWORK_FORMATS, format_network
from mahc.networks.files.gzip_text import compress

# munin2, munin3 and munin4 are left out: parts of munin, and a third of all the bytes.
NAMES = [
    "alarm",
    "andes",
    "asia",
    "barley",
    "cancer",
    "child",
    "diabetes",
    "earthquake",
    "hailfinder",
    "hepar2",
    "insurance",
    "link",
    "mildew",
    "munin",
    "munin1",
    "pathfinder",
    "pigs",
    "sachs",
    "survey",
    "water",
    "win95pts",
]
SHIPPED = Path(__file__).resolve().parents[1] / "src" / "mahc" / "networks" / "shipped"
FOLDER = "pgmpy/utils/example_models"


def main(wheel: Path) -> None:
    """Write one .json.gz per network."""
    SHIPPED.mkdir(exist_ok=True)
    total = 0
    with zipfile.ZipFile(wheel) as archive:
        for name in NAMES:
            packed = convert(archive.read(f"{FOLDER}/{name}.bif.gz"), name)
            (SHIPPED / f"{name}.json.gz").write_bytes(packed)
            total += len(packed)
    print(f"{len(NAMES)} networks, {total:,} bytes in {SHIPPED}")


def convert(packed: bytes, name: str) -> bytes:
    """One gzipped BIF file as gzipped JSON that says where it came from."""
    digest = hashlib.sha256(packed).hexdigest()
    text = gzip.decompress(packed).decode("utf-8")
    origin = f"bnlearn repository, as in the pgmpy 0.1.26 wheel (MIT), {FOLDER}/{name}.bif.gz, sha256 {digest}"
    network = replace(NETWORK_FORMATS["bif"]().parse(text, f"{name}.bif"), name=name, origin=origin)
    return compress(format_network(network, "json").encode("utf-8"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tools/make_networks.py WHEEL")
    main(Path(sys.argv[1]))
