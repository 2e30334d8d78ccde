// The history of runs: open one, compare it with another or with a graph file; bootstrap; save in any format.
import { button, copyButton, h, number, saveFile } from "./dom.js";
import { register } from "./registry.js";

/** @typedef {import("./registry.js").App} App */

register({
  id: "runs",
  title: "Runs",
  place: "left",
  reads: ["runs", "run", "data"],
  render(state, app) {
    const mine = state.runs.filter((run) => !state.data || run.data === state.data.id).reverse();
    return [
      h("ul", { class: "plain runs" }, mine.length === 0 && h("li", { class: "hint" }, "No runs yet."), mine.map((run) => describeRun(run, state.run, app))),
      state.run !== null && tools(state, app),
    ];
  },
});

/** @param {number | null} shown @param {App} app */
function describeRun(run, shown, app) {
  const { session } = app;
  const score = run.value === null ? run.kind : `${run.score} ${number(run.value, 1)}`;
  const extra = run.resamples ? `, ${run.resamples} resamples` : "";
  const early = run.stop_reason === "converged" ? "" : `, ${run.stop_reason.replace("_", " ")}`;
  return h("li", {}, button(`${run.id} ${run.algorithm} ${run.when}`, () => session.attempt(() => session.openRun(run.id)), { class: "link", "aria-pressed": String(run.id === shown), "data-key": `run${run.id}` }),
    h("div", { class: "hint" }, `${run.arcs} arcs, ${score}${extra}${early}`),
    shown !== null && run.id !== shown && button("Compare", () => compareWith(app, run.id), { "aria-label": `Compare with run ${run.id}`, "data-key": `compare${run.id}` }));
}

/** @param {import("./state.js").State} state @param {App} app */
function tools(state, app) {
  const { store, session } = app;
  const graphFile = h("input", { type: "file", hidden: true, "aria-label": "Graph file", onchange: () => graphFile.files[0] && compareFile(app, graphFile) });
  const resamples = h("input", { id: "resamples", type: "number", min: "1", value: state.resamples, class: "short", oninput: () => store.set({ resamples: resamples.value }) });
  return h("div", {}, h("div", { class: "row" }, button("Compare with a graph file", () => graphFile.click(), { id: "compare-file" }), graphFile),
    h("div", { class: "row" }, h("label", { class: "field" }, "Resamples ", resamples), button("Bootstrap", () => session.bootstrap(Number(resamples.value)), { id: "bootstrap" })));
}

/** @param {App} app @param {number} other */
function compareWith({ session, store }, other) {
  session.attempt(async () => {
    const { run } = store.get();
    show(store, run, await session.client.compare(run, other), `run ${other}`);
  });
}

/** @param {App} app */
function compareFile({ session, store }, input) {
  const [file] = input.files;
  session.attempt(async () => {
    const { run } = store.get();
    show(store, run, await session.client.compareFile(run, file), file.name);
    input.value = "";
  });
}

/** @param {App["store"]} store */
function show(store, run, { edges, measures, note }, name) {
  store.set({ comparison: { left: `run ${run}`, right: name, edges, measures, note }, tab: "graph" });
}

register({
  id: "save-run",
  title: "Result",
  place: "save",
  reads: ["run", "doc"],
  applies: (state) => state.run !== null && state.doc !== null,
  attributes: { class: "drop-list" },
  render({ about, doc, run }, { session }) {
    const groups = new Map();
    for (const each of about.formats) groups.set(each.group, [...(groups.get(each.group) || []), each]);
    const select = h("select", { "aria-label": "Format", id: "format" }, [...groups].map(([group, formats]) =>
      h("optgroup", { label: group }, formats.map((each) => h("option", { value: each.format }, each.title)))));
    const save = (format) => session.attempt(async () => {
      const { name, blob } = await session.client.download(run, format);
      saveFile(name, blob, blob.type);
    });
    return [
      button("Report as one HTML file", () => save("report"), { id: "save-report" }),
      h("div", { class: "row" }, select, button("Save", () => save(select.value), { id: "save-format" })),
      copyButton("Copy as command", () => doc.reproduce.commands),
      copyButton("Copy as Python", () => doc.reproduce.python),
    ];
  },
});
