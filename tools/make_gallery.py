"""The pictures of docs/gallery.md: its code runs, and what it saves goes to docs/images/gallery.

python tools/make_gallery.py [FOLDER]
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import run_docs

PAGE = run_docs.ROOT / "docs/gallery.md"
PICTURES = run_docs.ROOT / "docs/images/gallery"


def main() -> None:
    """Run the page and keep its pictures."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    run_docs.run_page(PAGE, lambda made: [shutil.copy(picture, folder) for picture in sorted(made.glob("*.svg"))])


if __name__ == "__main__":
    main()
