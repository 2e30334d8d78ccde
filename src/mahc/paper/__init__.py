"""The paper's tables and figures from the rows of an experiment, the paper's numbers beside them.

>>> import mahc.experiment, mahc.paper, tempfile, pathlib
>>> folder = tempfile.TemporaryDirectory()
>>> plan = pathlib.Path(folder.name) / "plan.toml"
>>> _ = plan.write_text('sizes = [50]\\ncases = ["asia"]\\n[[contestants]]\\nlabel = "HC"\\nalgorithm = "hc"\\n')
>>> _ = mahc.experiment.run(plan, plan.with_name("store"))
>>> results = mahc.paper.write_report(plan.with_name("store"), plan.with_name("report"))
>>> results.outline.cells, plan.with_name("report").joinpath("index.html").exists()
(2, True)
>>> folder.cleanup()
"""

from __future__ import annotations

from mahc.paper.outline import check_paper_names, outline_of_rows
from mahc.paper.results import Experiment, Results
from mahc.paper.writing import read_results, report_files, write_report

__all__ = [
    "Experiment",
    "Results",
    "check_paper_names",
    "outline_of_rows",
    "read_results",
    "report_files",
    "write_report",
]
