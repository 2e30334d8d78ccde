"""`python -m mahc` is `mahc`."""

import sys

if __name__ == "__main__":
    try:
        from mahc.cli.main import run
    except KeyboardInterrupt:  # later interrupts are caught within
        sys.exit(130)
    run()
