"""Entry point of `mahc`: finds the command, loads its file alone, turns mistakes into one sentence."""

from __future__ import annotations

import importlib
import sys
from typing import NoReturn

from mahc._version import __version__

# name -> module that holds `command`, a function or a Typer group; a new command is one line here and one file.
COMMANDS = {
    "learn": "mahc.cli.learn",
    "explain": "mahc.cli.explain",
    "replay": "mahc.cli.replay",
    "audit": "mahc.cli.audit",
    "compare": "mahc.cli.compare",
    "fit": "mahc.cli.fit",
    "sample": "mahc.cli.sample",
    "networks": "mahc.cli.networks",
    "score": "mahc.cli.score",
    "experiment": "mahc.cli.experiment",
}


def run(arguments: list[str] | None = None) -> NoReturn:
    """Run one command and exit: 0 done, 2 the user's mistake (one sentence on stderr), 130 interrupted."""
    words = sys.argv[1:] if arguments is None else arguments
    if words in (["--version"], ["-V"]):  # answered before anything heavy is imported
        print(f"mahc {__version__}")
        sys.exit(0)
    sys.exit(_dispatch(words))


def _dispatch(words: list[str]) -> int:
    import typer

    from mahc.errors import MahcError

    app = typer.Typer(
        add_completion=False,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        help="Learn the structure of Bayesian networks from discrete data. 'mahc --version' prints the version.",
    )
    app.callback()(_root)
    wanted = [words[0]] if words and words[0] in COMMANDS else list(COMMANDS)
    for name in wanted:
        command = importlib.import_module(COMMANDS[name]).command
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    try:
        result = app(words, standalone_mode=False, prog_name="mahc")
    except MahcError as mistake:
        from mahc.cli.spelling import CommandLineSpelling

        return _refuse(mistake.render(CommandLineSpelling()))
    except KeyboardInterrupt:
        print("mahc: interrupted, nothing was written", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as mistake:
        # Usage errors: click's class in older typer, typer's own in newer ones.
        if hasattr(mistake, "format_message"):
            return _refuse(mistake.format_message() or "see 'mahc --help'")
        if type(mistake).__name__ == "Abort":
            print("mahc: interrupted, nothing was written", file=sys.stderr)
            return 130
        raise
    if result == 130:  # typer's own answer to Ctrl-C
        print("mahc: interrupted, nothing was written", file=sys.stderr)
    return result if isinstance(result, int) else 0


def _root() -> None:
    pass


def _refuse(sentence: str) -> int:
    print(f"mahc: {' '.join(sentence.split())}", file=sys.stderr)
    return 2
