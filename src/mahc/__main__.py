"""`python -m mahc` is `mahc`."""

from mahc.cli.main import run

if __name__ == "__main__":
    run()
