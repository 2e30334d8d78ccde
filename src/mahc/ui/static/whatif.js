// States of a variable with their frequencies; on the server also observed states and interventions.
import { drawNumbers } from "./curve.js";
import { button, h, percent } from "./dom.js";
import { docOf } from "./state.js";

/** @import {Child} from "./dom.js" */
/** @import {App} from "./registry.js" */
/** @import {State} from "./state.js" */

/** Whether the server can answer for the result that is shown. @param {State} state */
const canAsk = (state) => state.run !== null && docOf(state).tables !== null;

/** @param {State} state @param {App} app @param {number} v @returns {Child[]} */
export function drawStates(state, app, v) {
  const variable = docOf(state).variables[v];
  if (variable.histogram) return drawNumbers(variable);
  if (!variable.states) return [h("p", { class: "hint" }, "States and frequencies need the data.")];
  const counts = variable.counts || [];
  const total = counts.reduce((a, b) => a + b, 0) || 1;
  const answer = state.answer?.[variable.name];
  const rows = variable.states.map((label, k) => {
    const share = counts[k] / total;
    const now = answer ? answer[k] : share;
    return h(
      "tr",
      { class: isSet(state, variable.name, label) ? "set" : null },
      h("th", { scope: "row" }, h("bdi", {}, label)),
      h("td", { class: "bar" }, bar(now, answer ? share : null)),
      h("td", { class: "number" }, percent(now)),
      h("td", { class: "number" }, answer ? `was ${percent(share)}` : counts[k].toLocaleString("en")),
      canAsk(state) && h("td", { class: "asks" }, suppose(state, app, variable.name, label)),
    );
  });
  const head = answer ? "Probabilities given what is supposed" : "States and frequencies";
  return [
    hasSupposed(state) && h("p", { class: "supposed" }, supposed(state)),
    h("table", { class: "states" }, h("caption", {}, head), h("tbody", {}, rows)),
    canAsk(state) && hasSupposed(state) && button("Clear what is supposed", () => app.session?.suppose({}, {})),
  ];
}

/** What was computed, in a sentence. @param {State} state */
function supposed({ given, intervened }) {
  /** @param {Record<string, string>} table */
  const list = (table) => Object.entries(table).map(([name, value]) => `${name} = ${value}`).join(" and ");
  const parts = [Object.keys(given).length > 0 && `among those with ${list(given)} (observed)`, Object.keys(intervened).length > 0 && `if ${list(intervened)} were set from outside`].filter(Boolean);
  return `Probabilities ${parts.join(", ")}.`;
}

/** @param {number} share @param {number | null} before */
function bar(share, before) {
  const outer = h("span", { class: "bar" });
  const inner = h("span", { class: "fill" });
  inner.style.width = `${(100 * share).toFixed(1)}%`;
  outer.append(inner);
  if (before !== null) {
    const mark = h("span", { class: "before" });
    mark.style.left = `${(100 * before).toFixed(1)}%`;
    outer.append(mark);
  }
  return outer;
}

/** @param {State} state @param {string} name @param {string} label */
const isSet = (state, name, label) => state.given[name] === label || state.intervened[name] === label;
/** @param {State} state */
const hasSupposed = (state) => Object.keys(state.given).length + Object.keys(state.intervened).length > 0;

/** @param {State} state @param {App} app @param {string} name @param {string} label */
function suppose({ given, intervened }, app, name, label) {
  /** @param {Record<string, string>} table */
  const without = (table) => Object.fromEntries(Object.entries(table).filter(([other]) => other !== name));
  const observed = given[name] === label;
  const set = intervened[name] === label;
  const observe = () => app.session?.suppose(observed ? without(given) : { ...given, [name]: label }, without(intervened));
  const act = () => app.session?.suppose(without(given), set ? without(intervened) : { ...intervened, [name]: label });
  return [
    button("observe", observe, { "aria-pressed": String(observed), "aria-label": `Observe ${name} = ${label}`, title: `Among the cases in which ${name} is ${label}`, "data-key": `=${label}` }),
    button("set", act, { "aria-pressed": String(set), "aria-label": `Set ${name} to ${label}`, title: `If somebody made ${name} ${label} in all cases; what causes it plays no part then`, "data-key": `do${label}` }),
  ];
}
