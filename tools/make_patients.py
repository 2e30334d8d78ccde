"""Write docs/data/patients.csv, the invented and deliberately messy data of the tutorial.

python tools/make_patients.py
"""

from __future__ import annotations

import csv
import random
from pathlib import Path

FILE = Path(__file__).resolve().parents[1] / "docs" / "data" / "patients.csv"
ROWS = 2000
HEADER = (
    *("patient_id", "clinic", "age", "sex", "smoker", "exercise", "bmi"),
    *("blood_pressure", "diabetes", "heart_disease", "chest_pain", "ecg"),
)


def make_row(number: int, generator: random.Random) -> list[str]:
    """One patient, then the mess: missing values under several names, and two spellings of one state."""
    chance = generator.random
    age = generator.randint(20, 89)
    sex = "male" if chance() < 0.5 else "female"
    smokes = chance() < (0.15 if sex == "female" else 0.4)
    exercise = "often" if chance() < (0.75 if age < 40 else 0.45 if age < 65 else 0.15) else "rarely"
    bmi = generator.gauss(23.5 if exercise == "often" else 28.5, 2.6)
    pressure = "high" if chance() < 0.08 + (0.4 if age >= 60 else 0.05) + (0.3 if bmi > 28 else 0) else "normal"
    diabetes = chance() < (0.35 if bmi > 29 else 0.06)
    sick = chance() < 0.03 + (0.3 if pressure == "high" else 0) + (0.3 if smokes else 0) + (0.15 if diabetes else 0)
    pain = chance() < (0.8 if sick else 0.1)
    ecg = "abnormal" if chance() < (0.75 if sick else 0.05) else "normal"
    smoker = "yes" if smokes else "no"
    return [
        f"P{number:04d}",
        "north",
        "999" if chance() < 0.02 else str(age),
        sex,
        smoker.capitalize() if chance() < 0.1 else smoker,
        "?" if chance() < 0.04 else exercise,
        "" if chance() < 0.03 else f"{bmi:.1f}",
        pressure,
        "yes" if diabetes else "no",
        "yes" if sick else "no",
        "yes" if pain else "no",
        ecg,
    ]


def main() -> None:
    """Write the file."""
    generator = random.Random(2024)
    with FILE.open("w", encoding="utf-8", newline="\n") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(make_row(number, generator) for number in range(1, ROWS + 1))
    print(f"{ROWS} rows in {FILE}")


if __name__ == "__main__":
    main()
