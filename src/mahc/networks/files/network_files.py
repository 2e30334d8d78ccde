"""Reading and writing network files; the suffix selects the format."""

from __future__ import annotations

from pathlib import Path

from mahc.errors import FormatError
from mahc.files import read_bounded, to_path, write_atomically
from mahc.networks.files.gzip_text import MAX_BYTES, compress, decode_text
from mahc.networks.files.network_format import NETWORK_FORMATS, NetworkFormat
from mahc.networks.network import Network


def read_network(path: str | Path) -> Network:
    """Read the network in a file, which may be compressed with gzip.

    Parameters
    ----------
    path : str or path
        The file; its suffix selects the format.

    Returns
    -------
    Network
        The network.

    Raises
    ------
    FormatError
        If the file is not in its format; the message names the line where there is one.

    Examples
    --------
    >>> import tempfile
    >>> from mahc.networks import load_network
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_network(load_network("asia"), f"{folder}/asia.bif")
    ...     read_network(f"{folder}/asia.bif").dag == load_network("asia").dag
    True
    """
    chosen = format_of_network(path)
    try:
        data = read_bounded(path, MAX_BYTES)
    except OSError as mistake:
        raise FormatError(f"the file cannot be read: {mistake.strerror or mistake}", path) from None
    return chosen.parse(decode_text(data, path), path)


def write_network(network: Network, path: str | Path) -> None:
    """Write a network to a file, all of it or nothing.

    Parameters
    ----------
    network : Network
        The network.
    path : str or path
        The file. Its suffix selects the format; `.gz` compresses it.

    Returns
    -------
    None
        The file is written.

    Raises
    ------
    MahcError
        If the format cannot hold a name of the network, or the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from mahc.networks import load_network
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_network(load_network("asia"), f"{folder}/asia.net.gz")
    ...     read_network(f"{folder}/asia.net.gz").names[:2]
    ('asia', 'tub')
    """
    chosen = check_writable(path)
    try:
        text = chosen.render(network)
    except FormatError as mistake:
        raise FormatError(mistake.message, path) from None
    content = text.encode("utf-8")
    write_atomically(path, compress(content) if network_suffix(path).endswith(".gz") else content)


def format_network(network: Network, format: str) -> str:
    """Return the text of a network in a format.

    Parameters
    ----------
    network : Network
        The network.
    format : str
        The name of the format.

    Returns
    -------
    str
        The text.

    Raises
    ------
    MahcError
        If there is no such format, it is only read, or it cannot hold a name of the network.

    Examples
    --------
    >>> from mahc.networks import load_network
    >>> format_network(load_network("asia"), "bif").splitlines()[0]
    'network asia {'
    """
    return NETWORK_FORMATS[format]().render(network)


def network_suffixes(*, writable: bool = False) -> tuple[str, ...]:
    """The suffixes of the network formats, sorted.

    Parameters
    ----------
    writable : bool
        Whether only formats that are written are listed.

    Returns
    -------
    tuple of str
        The suffixes, with their dots.

    Examples
    --------
    >>> network_suffixes(writable=True)
    ('.bif', '.bifxml', '.dsl', '.json', '.net', '.uai', '.xdsl', '.xml', '.xmlbif')
    """
    formats = [NETWORK_FORMATS[name] for name in NETWORK_FORMATS]
    return tuple(sorted(suffix for each in formats if each.writable or not writable for suffix in each.suffixes))


def network_suffix(path: str | Path) -> str:
    """Return the suffix in lower case, together with `.gz` where there is one.

    Parameters
    ----------
    path : str or path
        The file; it need not exist.

    Returns
    -------
    str
        The suffix, for instance ".bif" or ".json.gz".

    Examples
    --------
    >>> network_suffix("alarm.JSON.gz")
    '.json.gz'
    """
    suffixes = [suffix.lower() for suffix in to_path(path).suffixes[-2:]]
    return "".join(suffixes) if suffixes[-1:] == [".gz"] else "".join(suffixes[-1:])


def is_network_file(path: str | Path) -> bool:
    """Whether the suffix is that of a network format, compressed or not.

    Parameters
    ----------
    path : str or path
        The file; it need not exist.

    Returns
    -------
    bool
        True if a network format has that suffix.

    Examples
    --------
    >>> is_network_file("alarm.bif.gz"), is_network_file("alarm")
    (True, False)
    """
    return network_suffix(path).removesuffix(".gz") in network_suffixes()


def format_of_network(path: str | Path) -> NetworkFormat:
    """Return the format of a file's suffix; `.gz` does not count."""
    suffix = network_suffix(path).removesuffix(".gz")
    for name in NETWORK_FORMATS:
        if suffix in NETWORK_FORMATS[name].suffixes:
            return NETWORK_FORMATS[name]()
    shown = f"suffix '{suffix}'" if suffix else "name without a suffix"
    known = ", ".join(network_suffixes())
    raise FormatError(f"the {shown} is not a network format: use one of {known} (each may end in .gz)", path)


def check_writable(path: str | Path) -> NetworkFormat:
    """The format that a file would be written in; call it early, to refuse a wrong suffix before the work.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    NetworkFormat
        The format.

    Raises
    ------
    MahcError
        If the suffix is not one of a format that is written.

    Examples
    --------
    >>> check_writable("alarm.bif").title
    'BIF (bnlearn repository)'
    """
    chosen = format_of_network(path)
    if not chosen.writable:
        suffixes = ", ".join(network_suffixes(writable=True))
        raise FormatError(f"{chosen.title} is only read: write one of {suffixes}", path)
    return chosen
