"""Build the documentation site in site/; any warning is an error.

python tools/build_site.py   (extra `docs`)
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import make_command_page
import make_json_page
import make_python_pages
import make_schema_page

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Make the generated pages, then the site."""
    names, commands = make_python_pages.write_pages(), make_command_page.write_page()
    outputs, schemas = make_json_page.write_page(), make_schema_page.write_page()
    print(f"{names} public names, {commands} commands, {outputs} JSON outputs, {schemas} JSON Schemas", flush=True)
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    sys.exit(subprocess.run(command, cwd=ROOT, check=False).returncode)


if __name__ == "__main__":
    main()
