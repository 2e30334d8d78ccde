// The history of runs: open one, compare it with another or with a graph file; bootstrap; save in any format.
import { button, h, number, replace, saveFile } from "./dom.js";
import { differences } from "./compare.js";
import { copyButton } from "./about.js";

/** @param {any} page */
export function createRuns(page) {
  const { app } = page;
  const list = h("ul", { class: "plain runs" });
  const graphFile = h("input", { type: "file", hidden: true, "aria-label": "Graph file", onchange: () => graphFile.files[0] && compareFile(graphFile.files[0]) });
  const resamples = h("input", { id: "resamples", type: "number", min: "1", value: "100", class: "short" });
  const tools = h("div", {}, h("div", { class: "row" }, button("Compare with a graph file", () => graphFile.click(), { id: "compare-file" }), graphFile),
    h("div", { class: "row" }, h("label", { class: "field" }, "Resamples ", resamples), button("Bootstrap", () => page.bootstrap(Number(resamples.value)), { id: "bootstrap" })));
  app.slots.left.append(h("section", { "aria-label": "Runs" }, h("h2", {}, "Runs"), list, tools));

  async function compareWith(other) {
    const [document, found] = [await page.client.run(other.id), await page.client.compare(page.run, other.id)];
    show(document, found, `run ${other.id}`);
  }

  function compareFile(file) {
    page.attempt(async () => {
      const found = await page.client.compareFile(page.run, file);
      show(found, found, file.name);
      graphFile.value = "";
    });
  }

  function show(document, found, name) {
    const comparison = { left: `run ${page.run}`, right: name, edges: differences(app.model, document), measures: found.measures, note: found.note };
    app.store.dispatch({ type: "set", values: { comparison, tab: "graph" } });
    app.root.classList.add("show-right");
  }

  function draw() {
    const mine = page.runs.filter((run) => !page.data || run.data === page.data.id).reverse();
    tools.hidden = !page.run;
    replace(list, mine.length === 0 && h("li", { class: "hint" }, "No runs yet."), mine.map((run) => {
      const score = run.value === null ? run.kind : `${run.score} ${number(run.value, 1)}`;
      const extra = run.resamples ? `, ${run.resamples} resamples` : "";
      const early = run.stop_reason === "converged" ? "" : `, ${run.stop_reason.replace("_", " ")}`;
      return h("li", {}, button(`${run.id} ${run.algorithm} ${run.when}`, () => page.attempt(() => page.openRun(run.id)), { class: "link", "aria-pressed": String(run.id === page.run), "data-key": `run${run.id}` }),
        h("div", { class: "hint" }, `${run.arcs} arcs, ${score}${extra}${early}`),
        page.run && run.id !== page.run && button("Compare", () => page.attempt(() => compareWith(run)), { "aria-label": `Compare with run ${run.id}`, "data-key": `compare${run.id}` }));
    }));
  }

  /** The entries of the Save menu that need the server. */
  function drawSave() {
    for (const old of app.slots.save.querySelectorAll(".server")) old.remove();
    if (!page.run) return;
    const { reproduce } = app.model.doc;
    const groups = new Map();
    for (const each of page.about.formats) groups.set(each.group, [...(groups.get(each.group) || []), each]);
    const select = h("select", { "aria-label": "Format", id: "format" }, [...groups].map(([group, formats]) =>
      h("optgroup", { label: group }, formats.map((each) => h("option", { value: each.format }, each.title)))));
    const save = (format) => page.attempt(async () => {
      const { name, blob } = await page.client.download(page.run, format);
      saveFile(name, blob, blob.type);
    });
    app.slots.save.append(h("div", { class: "server drop-list" }, button("Report as one HTML file", () => save("report"), { id: "save-report" }),
      h("div", { class: "row" }, select, button("Save", () => save(select.value), { id: "save-format" })),
      copyButton("Copy as command", () => reproduce.commands), copyButton("Copy as Python", () => reproduce.python)));
  }
  return { draw, drawSave };
}
