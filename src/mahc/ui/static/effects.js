// The effect of one variable on another: choose both, see the sentence with its interval, what is adjusted for, the paths.
import { button, h, number, replace } from "./dom.js";
import { modelOf, pairKey } from "./model.js";
import { register } from "./registry.js";
import { docOf, runOf } from "./state.js";

/** @import {Effect, Path} from "./documents.js" */
/** @import {Model} from "./model.js" */
/** @import {ServerApp} from "./registry.js" */
/** @import {State} from "./state.js" */

register({
  id: "effect",
  title: "Effect",
  place: "details",
  steps: ["judge"],
  reads: ["doc", "run", "selection"],
  applies: (state) => state.run !== null && state.doc !== null && !state.doc.draft && !state.doc.panel && state.selection?.kind !== "arc" && state.selection?.kind !== "pair",
  attributes: { class: "effect" },
  /** @param {State} state @param {ServerApp} app */
  render(state, { session, store }) {
    const { selection } = state;
    const run = runOf(state);
    const doc = docOf(state);
    const usable = doc.variables.filter((each) => each.states).map((each) => each.name).sort();
    const chosen = selection?.kind === "variable" ? doc.variables[selection.v].name : null;
    if (usable.length < 2) return [h("h3", {}, "Effect"), h("p", { class: "hint" }, "Effects with intervals need two variables with states.")];
    /** @param {string} id @param {string} label */
    const select = (id, label) => h("select", { id, "aria-label": label }, usable.map((name) => h("option", { value: name }, name)));
    const [cause, target] = [select("cause", "Exposure"), select("target", "Outcome")];
    cause.value = chosen && usable.includes(chosen) ? chosen : usable[0];
    target.value = usable.find((name) => name !== cause.value && name !== target.value) || usable[1];
    /** @param {string} name */
    const statesOf = (name) => doc.variables.find((each) => each.name === name)?.states || [];
    const [from, to, outcome] = ["From", "To", "State of the outcome"].map((label) => h("select", { "aria-label": label }));
    /** @param {HTMLSelectElement} holder @param {string[]} names @param {boolean} last */
    const fill = (holder, names, last) => {
      replace(holder, names.map((each) => h("option", { value: each }, each)));
      holder.value = names.at(last ? -1 : 0) ?? "";
    };
    const refill = () => {
      fill(from, statesOf(cause.value), false);
      fill(to, statesOf(cause.value), true);
      fill(outcome, statesOf(target.value), true);
    };
    refill();
    cause.addEventListener("change", refill);
    target.addEventListener("change", refill);
    const answer = h("div", { class: "effect-answer", "aria-live": "polite" });
    const ask = async () => {
      if (cause.value === target.value) {
        replace(answer, h("p", { class: "problem" }, "Choose two different variables."));
        return;
      }
      replace(answer, h("p", { class: "hint" }, "Drawing graphs and tables ..."));
      try {
        const found = await session.client.effect(run, { cause: cause.value, target: target.value, contrast: [from.value, to.value], state: outcome.value });
        if (store.get().run !== run) return;
        replace(answer, describe(found, cause.value, target.value));
        store.set({ paths: { selection: store.get().selection, kinds: kindsOf(found.paths, modelOf(doc)), adjusted: found.adjusted_for } });
      } catch (problem) {
        replace(answer, h("p", { class: "problem" }, problem instanceof Error ? problem.message : String(problem)));
      }
    };
    return [
      h("h3", {}, "Effect of one variable on another"),
      h("div", { class: "effect-form" }, h("span", {}, "If"), cause, h("span", {}, "is set from"), from, h("span", {}, "to"), to, h("span", {}, "how does"), target, h("span", {}, "="), outcome, h("span", {}, "change?")),
      button("Estimate", ask, { id: "estimate" }),
      answer,
    ];
  },
});

/** The answer in words, then its numbers. @param {Effect} found @param {string} cause @param {string} target */
function describe(found, cause, target) {
  /** @param {number} value */
  const points = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${number(Math.abs(100 * value), 1)}`;
  const none = found.absent >= 1;
  let verdict = `The data and graphs do not tell the effect of ${cause} on ${target} from none.`;
  if (none) {
    verdict = `In none of the graphs does ${cause} change ${target}.`;
  } else if (found.low > 0 || found.high < 0) {
    verdict = `Setting ${cause} from ${found.contrast[0]} to ${found.contrast[1]} ${found.difference > 0 ? "raises" : "lowers"} the probability of ${target} = ${found.state} by ${number(Math.abs(100 * found.difference), 1)} percentage points.`;
  }
  return [
    h("p", { class: "verdict" }, verdict),
    !none && h("p", {}, `${Math.round(100 * found.level)} % interval: ${points(found.low)} to ${points(found.high)} points. ${Math.round(100 * found.absent)} % of the graphs have no such effect.`),
    h("details", {}, h("summary", {}, "In full"), found.sentences.map((text) => h("p", {}, text))),
    h("h3", {}, "What to adjust for"),
    found.adjustment.map((line) => h("p", { class: "line" }, line)),
    found.paths.length > 0 && [h("h3", {}, `Paths${found.adjusted_for.length ? `, adjusted for ${found.adjusted_for.join(", ")}` : ""}`), h("ul", { class: "plain paths" }, found.paths.map(drawPath))],
  ];
}

/** A path with its colour in words: causal, open, or blocked and where. @param {Path} path */
function drawPath({ text, kind, blocked_by: by }) {
  return h("li", { class: kind }, h("span", { class: `swatch path-${kind}` }), h("bdi", {}, text), `: ${kind}${by.length ? ` at ${by.join(", ")}` : ""}`);
}

/** The colour of each arc on a path: an open path shows before a causal one, and that before a blocked one. @param {Path[]} paths @param {Model} model */
function kindsOf(paths, { at }) {
  const found = new Map();
  for (const kind of ["blocked", "causal", "open"]) {
    for (const path of paths.filter((each) => each.kind === kind)) {
      for (const [tail, head] of path.arcs) found.set(pairKey(at.get(tail) ?? -1, at.get(head) ?? -1), kind);
    }
  }
  return found;
}
