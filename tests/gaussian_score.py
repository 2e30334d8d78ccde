"""The Gaussian AIC that CONTRIBUTING.md prints, as a module: the proof that a score for numbers is one file."""

import re
from pathlib import Path

TEXT = (Path(__file__).resolve().parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
CODE, USE = re.findall(r"```python\n(.*?)```", TEXT[TEXT.index("Save it as `gaussian_aic.py`") :], re.DOTALL)[:2]

exec(compile(CODE, "CONTRIBUTING.md", "exec"))
