"""Write docs/data/kidney.csv, the invented patients of docs/tutorials/numbers.md, their true graph, and its picture.

python tools/make_kidney_data.py
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

import mahc

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "data"
ROWS = 1_500
ARCS = (
    *(("age", "pressure"), ("bmi", "pressure"), ("sex", "bmi"), ("bmi", "crp"), ("smoker", "crp")),
    *(("age", "filtration"), ("pressure", "filtration"), ("filtration", "potassium"), ("filtration", "fatigue")),
    *(("filtration", "erythropoietin"), ("erythropoietin", "haemoglobin"), ("sex", "haemoglobin")),
)


def main() -> None:
    draw = np.random.default_rng(2026)
    normal = draw.normal
    age = np.clip(np.rint(normal(58, 13, ROWS)), 20, 92)
    sex = draw.choice(["female", "male"], ROWS)
    smoker = draw.choice(["no", "yes"], ROWS, p=[0.72, 0.28])
    bmi = 26 + 1.2 * (sex == "male") + normal(0, 3.6, ROWS)
    pressure = 92 + 0.45 * age + 0.9 * (bmi - 26) + normal(0, 9, ROWS)
    crp = np.exp(0.4 + 0.11 * (bmi - 26) + 0.7 * (smoker == "yes") + normal(0, 0.6, ROWS))
    # Potassium rises only where filtration is low; erythropoietin falls with it.
    filtration = np.clip(112 - 0.55 * age - 0.9 * (pressure - 118) + normal(0, 9, ROWS), 4, None)
    potassium = 4.1 + 1.6 * np.exp(-filtration / 30) + normal(0, 0.24, ROWS)
    erythropoietin = 3 + 2.6 * np.log(filtration / 10) + normal(0, 1.1, ROWS)
    haemoglobin = 8.2 + 0.42 * erythropoietin + 1.1 * (sex == "male") + normal(0, 0.7, ROWS)
    tired = 2.2 - filtration / 26 + draw.logistic(0, 0.55, ROWS)
    fatigue = np.array(["none", "mild", "moderate", "severe"])[np.digitize(tired, [-0.9, 0.2, 1.1])]
    columns = {
        "age": [f"{x:.0f}" for x in age],
        "sex": sex,
        "smoker": smoker,
        "bmi": [f"{x:.1f}" for x in bmi],
        "pressure": [f"{x:.0f}" for x in pressure],
        "crp": [f"{x:.2f}" for x in crp],
        "filtration": [f"{x:.1f}" for x in filtration],
        "potassium": [f"{x:.2f}" for x in potassium],
        "erythropoietin": [f"{x:.1f}" for x in erythropoietin],
        "haemoglobin": [f"{x:.1f}" for x in haemoglobin],
        "fatigue": fatigue,
    }
    _write(FOLDER / "kidney.csv", list(columns), zip(*columns.values(), strict=True))
    _write(FOLDER / "kidney-graph.csv", ["from", "to"], ARCS)
    order = {"fatigue": ["none", "mild", "moderate", "severe"]}
    tiers = [["age", "sex", "smoker"], ["bmi"], ["pressure", "crp"], ["filtration"]]
    tiers += [["potassium", "erythropoietin", "fatigue"], ["haemoglobin"]]
    learned = mahc.learn(FOLDER / "kidney.csv", "boss", ordinal=order, knowledge={"tiers": tiers})
    learned.plot(title="").save(FOLDER.parent / "pictures" / "kidney.svg")


def _write(path: Path, head: list[str], rows: object) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
