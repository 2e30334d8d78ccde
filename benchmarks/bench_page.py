"""The report file: its size, the time until it is ready, and the longest frame while panning and zooming, in Chromium.

usage: python benchmarks/bench_page.py   (extra `browser`)
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import mahc
from mahc.networks import load_network, sample

FRAMES = 120  # of one pan

# Drags the graph and notes the time between frames; returns them in milliseconds.
PAN = """async () => {
  const svg = document.querySelector("svg.graph");
  const place = svg.getBoundingClientRect();
  const send = (type, x, y) => svg.dispatchEvent(new PointerEvent(type, {
    clientX: x, clientY: y, pointerId: 1, button: 0, bubbles: true }));
  svg.setPointerCapture = () => {};
  const frames = [];
  let [x, y] = [place.left + 5, place.top + 5];
  send("pointerdown", x, y);
  await new Promise((resolve) => {
    let last = performance.now();
    let count = 0;
    const step = (now) => {
      frames.push(now - last);
      last = now;
      x += 4; y += 2;
      send("pointermove", x, y);
      count += 1;
      if (count < FRAMES) requestAnimationFrame(step); else resolve();
    };
    requestAnimationFrame(step);
  });
  send("pointerup", x, y);
  return frames.slice(2);
}""".replace("FRAMES", str(FRAMES))

# Turns the wheel in every frame, in and out again; returns the time between frames in milliseconds.
ZOOM = """async () => {
  const svg = document.querySelector("svg.graph");
  const place = svg.getBoundingClientRect();
  const frames = [];
  await new Promise((resolve) => {
    let last = performance.now();
    let count = 0;
    const step = (now) => {
      frames.push(now - last);
      last = now;
      svg.dispatchEvent(new WheelEvent("wheel", {
        deltaY: count < FRAMES / 2 ? -20 : 20, clientX: place.left + 300, clientY: place.top + 300,
        bubbles: true, cancelable: true }));
      count += 1;
      if (count < FRAMES) requestAnimationFrame(step); else resolve();
    };
    requestAnimationFrame(step);
  });
  return frames.slice(2);
}""".replace("FRAMES", str(FRAMES))


def many(variables: int, rows: int = 2000) -> mahc.Dataset:
    """Data in which each variable depends on two earlier ones."""
    generator = np.random.default_rng(1)
    columns: dict[str, Any] = {}
    made: list[Any] = []
    for i in range(variables):
        if i < 5:
            values = generator.integers(0, 3, rows)
        else:
            first, second = generator.integers(max(0, i - 30), i, 2)
            clean = np.maximum(made[first], made[second])
            values = np.where(generator.random(rows) < 0.1, generator.integers(0, 3, rows), clean)
        made.append(values)
        columns[f"variable_{i}"] = values
    return mahc.read(columns)


def work_of(metrics: Any) -> Any:
    """Milliseconds of processor time of the page's main thread so far: script, style and layout, everything."""
    found = {each["name"]: each["value"] for each in metrics.send("Performance.getMetrics")["metrics"]}
    arranged = found["LayoutDuration"] + found["RecalcStyleDuration"]
    return 1000 * np.array([found["ScriptDuration"], arranged, found["TaskDuration"]])


def measure(browser: Any, name: str, data: mahc.Dataset, folder: Path) -> None:
    """Write the report, open it three times, pan, zoom, and print one row."""
    learned = mahc.learn(data)
    path = folder / f"{name}.html"
    began = time.perf_counter()
    learned.report(path, data)
    written = time.perf_counter() - began
    ready, frames, costs, zoomed = [], [], [], []
    for _ in range(3):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]")
        ready.append(page.evaluate("performance.getEntriesByName('mahc-ready')[0].startTime"))
        metrics = page.context.new_cdp_session(page)
        metrics.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.wait_for_timeout(1000)  # nobody pans before the first picture stands
        before = work_of(metrics)
        panned = page.evaluate(PAN)
        costs.append((work_of(metrics) - before) / FRAMES)
        frames += panned
        page.wait_for_timeout(1000)
        zoomed += page.evaluate(ZOOM)
        page.close()
    size = path.stat().st_size / 1000
    arcs = len(learned.arcs)
    print(
        f"| {name} | {len(learned.variables)} | {arcs} | {size:,.0f} | {written:.1f} | {min(ready):.0f} | "
        f"{np.median(frames):.0f} | {np.quantile(frames, 0.99):.0f} | {max(frames):.0f} | "
        + " | ".join(f"{cost:.2f}" for cost in np.median(costs, axis=0))
        + f" | {np.median(zoomed):.0f} | {np.quantile(zoomed, 0.99):.0f} | {max(zoomed):.0f} |"
    )


def main() -> None:
    """Print the table."""
    from playwright.sync_api import sync_playwright

    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; without a graphics card\n")
    print(
        "| report | variables | arcs | kB | written in s | ready after ms | median frame ms | 99 % of frames ms "
        "| longest frame ms | script per frame ms | style and layout per frame ms | main thread per frame ms "
        "| zoom: median frame ms | zoom: 99 % of frames ms | zoom: longest frame ms |"
    )
    print("|---|" + "---:|" * 14)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        program = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        measure(browser, "alarm", sample(load_network("alarm"), 5000, 1), Path(folder))
        measure(browser, "500 variables", many(500), Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
