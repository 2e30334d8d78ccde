// The learn step: the algorithm, what it is for, its settings in words; the line with progress and Cancel.
import { button, h, number } from "./dom.js";
import { readNumber } from "./numbers.js";
import { register } from "./registry.js";
import { aboutOf } from "./state.js";

/** @import {Algorithm} from "./documents.js" */
/** @import {ServerApp} from "./registry.js" */
/** @import {State} from "./state.js" */

register({
  id: "learn-button",
  title: "Learn",
  place: "head",
  reads: ["audit", "job", "clash"],
  attributes: { class: "row" },
  /** @param {State} state @param {ServerApp} app */
  render: (state, { session }) => button("Learn", () => session.learn(), { class: "main", id: "learn", disabled: !canLearn(state) }),
});

/** @param {State} state */
const canLearn = (state) => Boolean(state.audit?.ok) && state.job === null;

register({
  id: "learn",
  title: "Learn",
  place: "tab",
  steps: ["learn"],
  reads: ["about", "audit", "job", "algorithm", "objective", "clash"],
  applies: (state) => state.data !== null, // not what is typed: a field must stay while somebody types in it
  attributes: { class: "pane learn" },
  /** @param {State} state @param {ServerApp} app */
  render(state, { store, session }) {
    const { audit, algorithm, clash } = state;
    const { algorithms, scores } = aboutOf(state);
    const first = algorithms.filter((each) => each.common);
    const rest = algorithms.filter((each) => !each.common);
    /** @param {Algorithm} each */
    const choice = (each) => h("li", {}, h("input", { type: "radio", name: "algorithm", id: `algorithm-${each.name}`, checked: algorithm === each.name, onchange: () => store.set({ algorithm: each.name }) }),
      h("label", { for: `algorithm-${each.name}` }, h("strong", {}, each.name), each.name === "best" && h("span", { class: "badge" }, "recommended"), h("span", {}, ` ${each.sentence}`)));
    return [
      h("h2", {}, "Learn"),
      h("p", { class: "row" }, button("Learn", () => session.learn(), { class: "main", id: "learn-now", disabled: !canLearn(state) }), h("span", {}, foretell(state))),
      !audit?.ok && h("p", { class: "problem" }, "The data cannot be used yet: the step Data lists what to solve."),
      clash && h("p", { class: "problem" }, "Statements contradict each other: see the step Knowledge."),
      h("div", { role: "radiogroup", "aria-label": "Algorithm" }, h("ul", { class: "plain choices" }, first.map(choice))),
      h("details", { "data-key": "other-algorithms", open: rest.some((each) => each.name === algorithm) }, h("summary", {}, "Other algorithms"), h("ul", { class: "plain choices" }, rest.map(choice))),
      h("details", { "data-key": "settings" }, h("summary", {}, "Settings"), h("div", { class: "settings" },
        setting("Score", "What makes a graph good; the algorithm brings its own.", choose("score", state.objective, [["", "that of the algorithm"], ...scores.map(({ name }) => [name, name])], (objective) => store.set({ objective }))),
        setting("Time limit", "Seconds after which the best graph so far is taken.", h("input", { id: "limit", inputmode: "decimal", placeholder: "none", class: "short", value: state.timeLimit, oninput: (event) => store.set({ timeLimit: event.target.value }) })),
        declaredSettings(state).map((each) => {
          const typed = state.settings[each.name];
          /** @param {string | boolean} value */
          const set = (value) => store.set({ settings: { ...store.get().settings, [each.name]: value } });
          const input = each.kind === "flag"
            ? h("input", { type: "checkbox", checked: Boolean(typed ?? each.default), onchange: (event) => set(event.target.checked) })
            : h("input", { value: typed ?? "", placeholder: each.default ?? "automatic", oninput: (event) => set(event.target.value), class: "short", "data-key": each.name });
          return setting(words(each.name), `${each.help} Allowed: ${each.allowed}.`, input);
        }))),
    ];
  },
});

/** A name of a setting in words. @param {string} name */
const words = (name) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

/** @param {string} title @param {string} help @param {HTMLElement} input */
const setting = (title, help, input) => h("label", { class: "setting" }, h("span", {}, title), input, h("span", { class: "hint" }, help));

/** How long it will take, in words. @param {State} state */
function foretell({ audit }) {
  if (!audit?.ok) return "";
  const { seconds, megabytes } = audit;
  const time = seconds < 1 ? "under a second" : seconds < 90 ? `about ${Math.ceil(seconds)} s` : `about ${Math.ceil(seconds / 60)} minutes`;
  return `Expected: ${time} with mahc, several times as long with best; ${megabytes < 1 ? "under 1" : number(Math.ceil(megabytes))} MB of memory.`;
}

/** @param {string} id @param {string} value @param {string[][]} options @param {(value: string) => void} change */
function choose(id, value, options, change) {
  const select = h("select", { id, onchange: (event) => change(event.target.value) }, options.map(([each, text]) => h("option", { value: each }, text)));
  select.value = value;
  return select;
}

/** The settings of the chosen algorithm and score. @param {State} state */
function declaredSettings(state) {
  const { algorithm, objective } = state;
  const about = aboutOf(state);
  const chosen = about.algorithms.find((each) => each.name === algorithm) || about.algorithms[0];
  const measure = about.scores.find((each) => each.name === (objective || chosen.default_score));
  return [...chosen.settings, ...(measure ? measure.settings : [])];
}

/** What the choices say, for a request; a number that is none is refused. @param {State} state */
export function learnRequest(state) {
  /** @type {Record<string, string | number | boolean>} */
  const settings = {};
  for (const { name, kind } of declaredSettings(state)) {
    const typed = state.settings[name];
    if (typeof typed === "boolean") settings[name] = typed;
    else if (typed?.trim()) settings[name] = kind === "text" ? typed : readNumber(words(name), typed, { whole: kind === "whole" });
  }
  return { algorithm: state.algorithm, objective: state.objective || null, time_limit: state.timeLimit.trim() ? readNumber("Time limit", state.timeLimit) : null, settings };
}

/** @type {Record<string, string>} */
const DOING = { learn: "Learning", bootstrap: "Bootstrap", posterior: "Drawing graphs" };

register({
  id: "progress",
  title: "Progress",
  place: "foot",
  reads: ["progress"],
  applies: (state) => state.progress !== null,
  attributes: { class: "row progress-row" },
  // Cancel is made once per job and stands before the text: a button that is replaced or moved while it is pressed is never clicked.
  /** @param {ServerApp} app */
  build: ({ store, session }) => button("Cancel", () => session.attempt(() => session.client.cancel(store.get().job)), { id: "cancel" }),
  render({ progress: job }, _, holder) {
    if (!job) return null;
    /** @type {HTMLButtonElement} */ (holder.querySelector("#cancel")).disabled = Boolean(job.cancelled);
    const parts = [DOING[job.kind] || job.kind, job.cancelled ? "ending" : job.state];
    if (job.progress) {
      const { phase, steps, score, seconds } = job.progress;
      parts.push(phase);
      if (steps) parts.push(`step ${steps}`);
      if (score !== null) parts.push(`score ${number(score, 1)}`);
      parts.push(`${seconds.toFixed(1)} s`);
    }
    return h("span", { class: "progress" }, parts.join(", "));
  },
});
