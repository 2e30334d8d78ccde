"""Files: reading with a limit on size, atomic writing, temporary files that a killed process cannot leave for ever."""

from mahc.files.addresses import Address, Copied, find_address
from mahc.files.atomic import Content, write_all, write_atomically
from mahc.files.bounded import exists, is_file, is_folder, read_bounded, read_bounded_text
from mahc.files.paths import Partitions, partitions_of, refuse_remote, to_path
from mahc.files.temporary import temporary_folder, temporary_path

__all__ = [
    "Address",
    "Content",
    "Copied",
    "Partitions",
    "exists",
    "find_address",
    "is_file",
    "is_folder",
    "partitions_of",
    "read_bounded",
    "read_bounded_text",
    "refuse_remote",
    "temporary_folder",
    "temporary_path",
    "to_path",
    "write_all",
    "write_atomically",
]
