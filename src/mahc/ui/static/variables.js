// The list of variables, with a field to search.
import { button, countOf, h, replace } from "./dom.js";
import { tierOf } from "./state.js";
import { register } from "./registry.js";

register({
  id: "variables",
  title: "Variables",
  place: "left",
  steps: ["knowledge", "judge"],
  reads: ["doc", "selection", "knowledge", "search"],
  build: ({ store }) => [
    h("input", { type: "search", placeholder: "Search variables", "aria-label": "Search variables", oninput: (event) => store.set({ search: event.target.value }) }),
    h("ul", { class: "variables", "aria-label": "Variables" }), // it stays, so that it keeps how far it was scrolled
  ],
  render({ doc, search, selection, knowledge }, app, holder) {
    if (!doc) return;
    const wanted = search.toLowerCase();
    const rows = doc.variables.map((variable, v) => ({ ...variable, v })).filter(({ name }) => name.toLowerCase().includes(wanted));
    replace(/** @type {HTMLElement} */ (holder.querySelector("ul")), rows.map(({ name, states, histogram, v }) => {
      const chosen = selection?.kind === "variable" && selection.v === v;
      const tier = tierOf(knowledge, name);
      const note = [states && countOf(states.length, "state"), histogram && "numbers", tier >= 0 && `tier ${tier + 1}`].filter(Boolean).join(", ");
      return h("li", {}, button([h("bdi", {}, name), h("small", {}, note)], () => app.choose(v), { class: "link", "aria-pressed": String(chosen), "data-key": `list${v}` }));
    }));
  },
});
