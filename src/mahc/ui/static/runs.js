// The history of runs: open one, compare it with another or with a graph file; how sure is it?
import { button, h, number } from "./dom.js";
import { register } from "./registry.js";
import { runOf } from "./state.js";

/** @import {Compared, Run} from "./documents.js" */
/** @import {ServerApp} from "./registry.js" */
/** @import {State, Store} from "./state.js" */

register({
  id: "runs",
  title: "Runs",
  place: "left",
  steps: ["learn", "judge"],
  reads: ["runs", "run", "data", "step", "doc"],
  /** @param {State} state @param {ServerApp} app */
  render(state, app) {
    const mine = state.runs.filter((run) => !state.data || run.data === state.data.id).reverse();
    return [
      h("ul", { class: "plain runs" }, mine.length === 0 && h("li", { class: "hint" }, "No runs yet."), mine.map((run) => describeRun(run, state.run, app))),
      state.run !== null && state.step === "judge" && tools(state, app),
    ];
  },
});

/** @param {Run} run @param {number | null} shown @param {ServerApp} app */
function describeRun(run, shown, app) {
  const { session } = app;
  const score = run.value === null ? run.kind : `${run.score} ${number(run.value, 1)}`;
  const extra = run.resamples ? `, ${run.resamples} graphs` : "";
  const early = run.stop_reason === "converged" ? "" : `, ${run.stop_reason.replace("_", " ")}`;
  return h("li", {}, button(`${run.id} ${run.algorithm} ${run.when.slice(5, 16)}`, () => session.attempt(() => session.returnTo(run.id)), { class: "link", "aria-pressed": String(run.id === shown), "data-key": `run${run.id}` }),
    h("div", { class: "hint" }, `${run.arcs} arcs, ${score}${extra}${early}`),
    shown !== null && run.id !== shown && button("Compare", () => compareWith(app, run.id), { "aria-label": `Compare with run ${run.id}`, "data-key": `compare${run.id}` }));
}

/** @param {State} state @param {ServerApp} app */
function tools(state, app) {
  const { store, session } = app;
  /** @type {HTMLInputElement} */
  const graphFile = h("input", { type: "file", hidden: true, "aria-label": "Graph file", onchange: () => graphFile.files?.[0] && compareFile(app, graphFile, graphFile.files[0]) });
  /** @type {HTMLInputElement} */
  const resamples = h("input", { id: "resamples", inputmode: "numeric", value: state.resamples, class: "short", oninput: () => store.set({ resamples: resamples.value }) });
  return h("div", {}, h("div", { class: "row" }, button("Compare with a graph file", () => graphFile.click(), { id: "compare-file" }), graphFile),
    !state.doc?.panel && [h("h3", {}, "How sure?"),
    h("p", { class: "row" }, button("Draw graphs", () => session.posterior(), { id: "posterior" }), h("span", { class: "hint" }, "by their probability, and from 60 resamples")),
    h("p", { class: "row" }, h("label", { class: "field" }, resamples, " resamples"), button("Bootstrap", () => session.bootstrap(resamples.value), { id: "bootstrap" }))]);
}

/** @param {ServerApp} app @param {number} other */
function compareWith({ session, store }, other) {
  session.attempt(async () => {
    const run = runOf(store.get());
    showComparison(store, run, await session.client.compare(run, other), `run ${other}`);
  });
}

/** @param {ServerApp} app @param {HTMLInputElement} input @param {File} file */
function compareFile({ session, store }, input, file) {
  session.attempt(async () => {
    const run = runOf(store.get());
    showComparison(store, run, await session.client.compareFile(run, file), file.name);
    input.value = "";
  });
}

/** @param {Store} store @param {number} run @param {Compared} found @param {string} name */
function showComparison(store, run, { edges, measures, note }, name) {
  store.set({ comparison: { left: `run ${run}`, right: name, edges, measures, note }, tab: "graph", step: "judge", lanes: false, focus: null });
}
