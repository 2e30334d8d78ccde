// The registry of panels: everything on the page that shows a part of the state. A module registers its panels when it
// is imported; `panels.js` and `main.js` import them, in the order in which panels of one place stand.
import { h, replace } from "./dom.js";
import { differs } from "./state.js";

/** @import {Attributes, Child} from "./dom.js" */
/** @import {Session} from "./session.js" */
/** @import {PairKind, State, Step, Store} from "./state.js" */
/** @import {View} from "./view.js" */

/**
 * What panels act on.
 * @typedef {object} App
 * @property {HTMLElement} root
 * @property {Store} store
 * @property {View} view the graph; made by its panel
 * @property {Session | null} session what can be done with the server; null without one
 * @property {(v: number) => void} choose select a variable and bring it into the picture
 * @property {(kind: PairKind, a: number, b: number) => void} declare state what is known about a pair
 * @property {(from: number, to: number) => Promise<string>} explain the reason why an arc is there or not
 */

/** @typedef {App & {session: Session}} ServerApp what the panels that `main.js` imports act on */
/** @typedef {"title" | "head" | "save" | "left" | "tab" | "tools" | "corner" | "summary" | "details" | "foot"} Place of panels */

/**
 * @template {App} [A=App]
 * @typedef {object} Panel
 * @property {string} id
 * @property {string} title name of the tab, heading in the lists, otherwise label for screen readers
 * @property {Place} place
 * @property {Step[]} [steps] the steps that have it; all if left out
 * @property {(keyof State)[]} reads the parts of the state that it shows: it is rendered again when one of them changes
 * @property {(state: State) => boolean} [applies] where false, the panel is not there (a tab cannot be opened)
 * @property {(state: State, app: A, holder: HTMLElement) => Child | void} render its content
 * @property {(app: A) => Child} [build] what is made once and stands above the content, such as fields to type in
 * @property {boolean} [always] whether a tab is rendered while another is open
 * @property {Attributes} [attributes] of the element that holds it
 */

/** The steps of a study, in order. @type {[Step, string][]} */
export const STEPS = [["data", "Data"], ["knowledge", "Knowledge"], ["learn", "Learn"], ["judge", "Judge"], ["share", "Share"]];

/** @type {Panel[]} */
const panels = [];

/** @template {App} A @param {Panel<A>} panel */
export function register(panel) {
  panels.push(/** @type {Panel} */ (panel));
}

/** @param {Panel} panel @param {State} state */
const applies = (panel, state) => !panel.applies || panel.applies(state);
/** @param {Panel} panel @param {State} state */
const isOfStep = (panel, state) => !panel.steps || panel.steps.includes(state.step);

/** The tabs that the step has now, and the one that is open: the one that the user chose if it applies, otherwise the first that does. @param {State} state */
export function listTabs(state) {
  const tabs = panels.filter((panel) => panel.place === "tab" && isOfStep(panel, state));
  const usable = tabs.filter((panel) => applies(panel, state));
  return { usable, open: usable.find((panel) => panel.id === state.tab) || usable[0] };
}

/** Whether a place has a panel in this step. @param {State} state @param {Place} place */
export function hasPanels(state, place) {
  return panels.some((panel) => panel.place === place && isOfStep(panel, state) && applies(panel, state));
}

/**
 * Put all panels into their places; returns the function that shows a state.
 * @param {App} app @param {Record<Place, HTMLElement>} places
 */
export function mountPanels(app, places) {
  const mounted = panels.map((panel) => {
    const holder = makeHolder(panel);
    places[panel.place].append(holder);
    return { panel, holder, body: /** @type {HTMLElement | null} */ (null), stale: true };
  });

  /** @param {State} state @param {State | null} before */
  return (state, before) => {
    const { open } = listTabs(state);
    for (const each of mounted) {
      const { panel, holder } = each;
      const there = applies(panel, state);
      holder.hidden = !there || !isOfStep(panel, state) || (panel.place === "tab" && panel !== open);
      if (!there) empty(each);
      else if (!each.body) each.body = fill(panel, holder, app);
      each.stale ||= differs(state, before, panel.reads);
    }
    for (const each of mounted) {
      const { panel, holder, body } = each;
      if (!body || !each.stale || (holder.hidden && !panel.always)) continue;
      each.stale = false;
      replace(body, /** @type {Child} */ (panel.render(state, app, holder)));
    }
  };
}

/** @param {Panel} panel */
function makeHolder({ id, title, place, attributes }) {
  if (place === "left") return h("section", { "aria-label": title, ...attributes });
  if (place !== "tab") return h("div", { ...attributes });
  return h("div", { id: `pane-${id}`, role: "tabpanel", "aria-label": title, tabindex: "0", ...attributes });
}

/** What stays while the panel is there; returns the element for its content. @param {Panel} panel @param {HTMLElement} holder @param {App} app */
function fill(panel, holder, app) {
  const heading = panel.place === "left" && h("h2", {}, panel.title);
  if (!heading && !panel.build) return holder;
  const body = h("div", {});
  replace(holder, heading, panel.build?.(app), body);
  return body;
}

/** @param {{holder: HTMLElement, body: HTMLElement | null, stale: boolean}} each */
function empty(each) {
  if (each.body) each.holder.replaceChildren();
  each.body = null;
  each.stale = true;
}
