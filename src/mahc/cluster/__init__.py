"""Counting rows elsewhere: out of core, on Dask, on Spark.

Rows live in pieces (parts of files, partitions of a cluster). A *pass* says what one piece contributes and how
contributions add up. They are integers, so that the order of adding cannot change a bit. A *runner* runs a pass over
all pieces: in this process, on Dask workers or on Spark executors. Scores are computed in this process, from the sums.
"""

from typing import TYPE_CHECKING

from mahc.on_demand import load_on_demand

if TYPE_CHECKING:
    from mahc.cluster.choosing import is_sharded
    from mahc.cluster.opening import open_shards
    from mahc.cluster.pieces import FilePiece, find_pieces
    from mahc.cluster.runner import LocalRunner, Runner
    from mahc.cluster.sharded_rows import CompactRows, ShardedRows
else:
    __getattr__, __dir__ = load_on_demand(
        __name__,
        {
            "CompactRows": "mahc.cluster.sharded_rows",
            "FilePiece": "mahc.cluster.pieces",
            "LocalRunner": "mahc.cluster.runner",
            "Runner": "mahc.cluster.runner",
            "ShardedRows": "mahc.cluster.sharded_rows",
            "find_pieces": "mahc.cluster.pieces",
            "is_sharded": "mahc.cluster.choosing",
            "open_shards": "mahc.cluster.opening",
        },
    )

__all__ = [
    "CompactRows",
    "FilePiece",
    "LocalRunner",
    "Runner",
    "ShardedRows",
    "find_pieces",
    "is_sharded",
    "open_shards",
]
