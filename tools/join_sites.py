"""One site of several versions: each in a folder of its own, with the list that the version menu reads.

python tools/join_sites.py OUT dev=site 0.1.0=older/v0.1.0

The first page leads to the newest release, or to `dev` where there is none.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

DEVELOPMENT = "dev"


def newest_first(version: str) -> tuple[bool, tuple[int, ...]]:
    """The key by which versions are sorted, newest last; `dev` before all releases.

    >>> sorted(["dev", "0.10.0", "0.9.1"], key=newest_first, reverse=True)
    ['0.10.0', '0.9.1', 'dev']
    """
    return version != DEVELOPMENT, tuple(map(int, re.findall(r"\d+", version)))


def join_sites(out: Path, sites: dict[str, Path]) -> None:
    """Copy each site into the folder of its version, and write versions.json and the first page."""
    shutil.rmtree(out, ignore_errors=True)
    order = sorted(sites, key=newest_first, reverse=True)
    for version in order:
        shutil.copytree(sites[version], out / version)
    listed = [{"version": version, "title": version, "aliases": []} for version in order]
    (out / "versions.json").write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")
    lead = f'<meta http-equiv="refresh" content="0; url={order[0]}/"><a href="{order[0]}/">mahc {order[0]}</a>'
    (out / "index.html").write_text(f"<!doctype html><title>mahc</title>{lead}\n", encoding="utf-8")


def main() -> None:
    """Join the sites that are named."""
    out, *named = sys.argv[1:]
    join_sites(Path(out), {version: Path(site) for version, _, site in (each.partition("=") for each in named)})


if __name__ == "__main__":
    main()
