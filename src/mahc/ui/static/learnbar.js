// The bar with algorithm, score, time limit and Learn; the line with progress and Cancel.
import { button, h, number } from "./dom.js";
import { register } from "./registry.js";

/** @typedef {import("./state.js").State} State */

register({
  id: "learn",
  title: "Learn",
  place: "head",
  reads: ["audit", "job", "algorithm", "objective"], // not what is typed: a field must stay while somebody types in it
  attributes: { class: "row" },
  render: (state, { store, session }) => [
    button("Learn", () => session.learn(), { class: "main", id: "learn", disabled: !state.audit?.ok || state.job !== null }),
    field("Algorithm ", choose("algorithm", state.algorithm, state.about.algorithms.map(({ name }) => [name, name]), (algorithm) => store.set({ algorithm }))),
    field("Score ", choose("score", state.objective, [["", "default"], ...state.about.scores.map(({ name }) => [name, name])], (objective) => store.set({ objective }))),
    field("Time limit (s) ", h("input", { id: "limit", type: "number", min: "1", placeholder: "none", size: "5", class: "short", value: state.timeLimit,
      oninput: (event) => store.set({ timeLimit: event.target.value }) })),
    h("details", { class: "save", "data-key": "settings" }, h("summary", {}, "Settings"), h("div", { class: "drop" }, declaredSettings(state).map((each) => {
      const typed = state.settings[each.name];
      const set = (value) => store.set({ settings: { ...store.get().settings, [each.name]: value } });
      const input = each.kind === "flag"
        ? h("input", { type: "checkbox", checked: typed ?? each.default ?? false, onchange: (event) => set(event.target.checked) })
        : h("input", { value: typed ?? "", placeholder: each.default ?? "automatic", oninput: (event) => set(event.target.value), class: "short", "data-key": each.name });
      return h("label", { class: "field", title: `${each.help} Allowed: ${each.allowed}.` }, `${each.name} `, input);
    }))),
  ],
});

const field = (title, input) => h("label", { class: "field" }, title, input);

function choose(id, value, options, change) {
  const select = h("select", { id, onchange: (event) => change(event.target.value) }, options.map(([each, text]) => h("option", { value: each }, text)));
  select.value = value;
  return select;
}

/** The settings of the chosen algorithm and score. @param {State} state @returns {any[]} */
function declaredSettings({ about, algorithm, objective }) {
  const chosen = about.algorithms.find((each) => each.name === algorithm);
  const measure = about.scores.find((each) => each.name === (objective || chosen.default_score));
  return [...chosen.settings, ...(measure ? measure.settings : [])];
}

/** What the choices say, for a request. @param {State} state */
export function learnRequest(state) {
  const settings = {};
  for (const { name, kind } of declaredSettings(state)) {
    const typed = state.settings[name];
    if (typeof typed === "boolean") settings[name] = typed;
    else if (typed?.trim()) settings[name] = kind === "text" ? typed : Number(typed);
  }
  return { algorithm: state.algorithm, objective: state.objective || null, time_limit: state.timeLimit ? Number(state.timeLimit) : null, settings };
}

register({
  id: "progress",
  title: "Progress",
  place: "foot",
  reads: ["progress"],
  applies: (state) => state.progress !== null,
  attributes: { class: "row" },
  // Cancel is made once per job and stands before the text: a button that is replaced or moved while it is pressed is never clicked.
  build: ({ store, session }) => button("Cancel", () => session.attempt(() => session.client.cancel(store.get().job)), { id: "cancel" }),
  render({ progress: job }, _, holder) {
    /** @type {HTMLButtonElement} */ (holder.querySelector("#cancel")).disabled = Boolean(job.cancelled);
    const parts = [job.kind === "learn" ? "Learning" : "Bootstrap", job.cancelled ? "ending" : job.state];
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
