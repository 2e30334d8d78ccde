"""Networks by name, shipped or in a folder, and their sizes as in Table 2 of the paper."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from mahc.data.shipped_samples import sample_names
from mahc.errors import FormatError, Mention, SettingError, UnknownNameError
from mahc.files import is_folder
from mahc.networks.network import Network

FOLDER_VARIABLE = "MAHC_NETWORKS"


def network_names(folder: str | Path | None = None) -> tuple[str, ...]:
    """The names that `load_network` accepts, sorted.

    Parameters
    ----------
    folder : str or path, optional
        A folder with further networks; the environment variable `MAHC_NETWORKS` if left out.

    Returns
    -------
    tuple of str
        The names.

    Examples
    --------
    >>> network_names()[:3]
    ('alarm', 'andes', 'asia')
    """
    return tuple(sorted({*_shipped(), *_in_folder(folder)}))


def load_network(name: str, folder: str | Path | None = None) -> Network:
    """Load a network by its name.

    Parameters
    ----------
    name : str
        One of `network_names()`.
    folder : str or path, optional
        A folder whose networks take precedence over the shipped ones; the environment variable `MAHC_NETWORKS` if left
        out.

    Returns
    -------
    Network
        The network.

    Raises
    ------
    MahcError
        If there is no such network; the message suggests the nearest name.

    Examples
    --------
    >>> load_network("asia")
    Network('asia', 8 variables, 8 arcs, 18 free parameters)
    """
    from mahc.networks.files import NETWORK_FORMATS, read_network  # here: the formats import this package
    from mahc.networks.files.gzip_text import decode_text

    found = _in_folder(folder)
    if name in found:
        return read_network(found[name])
    if name not in _shipped():
        raise UnknownNameError("network", name, {*_shipped(), *found})
    file = f"{name}.json.gz"
    data = files("mahc.networks").joinpath("shipped", file).read_bytes()
    return NETWORK_FORMATS["json"]().parse(decode_text(data, file), file)


def find_network(name_or_path: str, folder: str | Path | None = None) -> Network:
    """Find a network by its name, or read it from a file.

    Parameters
    ----------
    name_or_path : str
        The name of a network, or a path with the suffix of a network format.
    folder : str or path, optional
        A folder with further networks, as in `load_network`.

    Returns
    -------
    Network
        The network.

    Raises
    ------
    MahcError
        If there is no such network; the message suggests the nearest name.

    Examples
    --------
    >>> find_network("sachs")
    Network('sachs', 11 variables, 17 arcs, 178 free parameters)
    """
    from mahc.networks.files import is_network_file, read_network

    if is_network_file(name_or_path):
        return read_network(name_or_path)
    return load_network(name_or_path, folder)


def sample_path(name: str) -> Path:
    """The path of a small CSV sample that ships with the package.

    Parameters
    ----------
    name : str
        The name of the sample: "asia".

    Returns
    -------
    Path
        The file.

    Raises
    ------
    MahcError
        If there is no such sample.

    Examples
    --------
    >>> sample_path("asia").name
    'asia.csv'
    """
    if name not in sample_names():
        raise UnknownNameError("sample", name, sample_names())
    return Path(str(files("mahc.data") / "samples" / f"{name}.csv"))


def _shipped() -> tuple[str, ...]:
    folder = files("mahc.networks").joinpath("shipped")
    ending = ".json.gz"
    return tuple(sorted(e.name.removesuffix(ending) for e in folder.iterdir() if e.name.endswith(ending)))


def _in_folder(folder: str | Path | None) -> dict[str, Path]:
    from mahc.networks.files import is_network_file, network_suffix

    source = Mention("networks") if folder is not None else FOLDER_VARIABLE
    chosen = folder if folder is not None else os.environ.get(FOLDER_VARIABLE)
    if not chosen:
        return {}
    if not is_folder(chosen):
        raise SettingError(
            f"the networks folder '{chosen}' (", source, ") does not exist or is not a folder: correct it"
        )
    found: dict[str, Path] = {}
    # Of two files with the same stem the first by name counts, so the result does not depend on the file system.
    for path in sorted(Path(chosen).iterdir()):
        if is_network_file(path) and path.is_file():
            found.setdefault(path.name[: -len(network_suffix(path))], path)
    return found


@dataclass(frozen=True)
class NetworkSize:
    """One row of Table 2.

    >>> measure_network(load_network("asia"))
    NetworkSize(name='asia', nodes=8, arcs=8, average_degree=2.0, max_in_degree=2, free_parameters=18)
    """

    name: str
    nodes: int
    arcs: int
    average_degree: float
    max_in_degree: int
    free_parameters: int


@dataclass(frozen=True)
class Unreadable:
    """A file in the folder that cannot be read, and why.

    >>> Unreadable("notes", "no network").name
    'notes'
    """

    name: str
    error: str


def measure_network(network: Network, name: str | None = None) -> NetworkSize:
    """The row of one network."""
    return NetworkSize(
        network.name if name is None else name,
        len(network.names),
        len(network.arcs),
        network.average_degree,
        network.max_in_degree,
        network.free_parameters,
    )


def measure_networks(folder: str | Path | None = None) -> tuple[NetworkSize | Unreadable, ...]:
    """One row per network that `load_network` knows, by name; a file that cannot be read has a row too."""
    rows: list[NetworkSize | Unreadable] = []
    for name in network_names(folder):
        try:
            rows.append(measure_network(load_network(name, folder), name))
        except FormatError as mistake:
            rows.append(Unreadable(name, str(mistake)))
    return tuple(rows)
