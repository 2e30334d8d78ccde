"""A messy table as people have them, in several formats: the same 300 rows each time."""

from __future__ import annotations

import random
from pathlib import Path

HEADER = ["Patient_ID", "Größe", "Alter", "Raucher", "Schweregrad", "Aufnahme", "Husten", "Atemnot"]


def rows(many: int = 300) -> list[list[str]]:
    """The rows, numbers with decimal commas."""
    draw = random.Random(1)
    found = []
    for i in range(many):
        smoker = draw.random() < 0.4
        ill = draw.random() < (0.7 if smoker else 0.2)
        age = "99" if i % 20 == 3 else str(draw.randint(18, 80))
        found.append(
            [
                str(100_001 + i),
                f"{draw.gauss(1.72, 0.09):.2f}".replace(".", ","),
                age,
                draw.choice(["ja", "Ja ", "ja"]) if smoker else "nein",
                draw.choice(["mittel", "schwer"]) if ill else draw.choice(["leicht", "mittel"]),
                f"{draw.randint(1, 28):02d}.{draw.randint(1, 12):02d}.2023",
                "k.A." if i % 15 == 2 else "ja" if draw.random() < (0.8 if ill else 0.1) else "nein",
                "" if i % 25 == 4 else "ja" if draw.random() < (0.7 if ill else 0.1) else "nein",
            ]
        )
    return found


def european_csv() -> bytes:
    """Latin-1, semicolons, decimal commas, codes for missing values, an identifier, a date, two spellings."""
    return ("\r\n".join(";".join(row) for row in [HEADER, *rows()]) + "\r\n").encode("latin-1")


def spreadsheet(path: Path) -> None:
    """Two sheets; the rows are in the second."""
    import xlsxwriter

    with xlsxwriter.Workbook(str(path)) as book:
        book.add_worksheet("Notes").write_row(0, 0, ["about", "this"])
        sheet = book.add_worksheet("Rows")
        for place, row in enumerate([HEADER, *rows()]):
            sheet.write_row(place, 0, row)


def spss_file(path: Path, *, stata: bool = False) -> None:
    """Codes with value labels; 9 is user-missing in SPSS, and a labelled value in Stata."""
    import pandas as pd
    import pyreadstat

    draw = random.Random(2)
    smoke = [float(draw.choice([1, 2, 2])) for _ in range(200)]
    cough = [9.0 if i % 20 == 0 else s if draw.random() < 0.9 else 3.0 - s for i, s in enumerate(smoke)]
    frame = pd.DataFrame({"smoke": smoke, "cough": cough, "age": [float(draw.randint(18, 80)) for _ in smoke]})
    labels = {"smoke": {1: "yes", 2: "no"}, "cough": {1: "yes", 2: "no", 9: "refused"}}
    if stata:
        pyreadstat.write_dta(frame, str(path), variable_value_labels=labels)
    else:
        pyreadstat.write_sav(frame, str(path), variable_value_labels=labels, missing_ranges={"cough": [9]})
