// The menu after an arc was drawn from one variable to another.
import { button, h } from "./dom.js";
import { addBelief } from "./state.js";

/** @import {App} from "./registry.js" */
/** @import {PairKind} from "./state.js" */

/** @param {App} app @param {number} from @param {number} to @param {number[]} at */
export function openMenu(app, from, to, at) {
  const { model, holder } = app.view;
  const [a, b] = [model.names[from], model.names[to]];
  app.root.querySelector(".menu")?.remove();
  /** @type {[string, PairKind][]} */
  const choices = [
    [`Require ${a} → ${b}`, "required_arcs"],
    ["Require an edge, either way", "required_edges"],
    [`Forbid ${a} → ${b}`, "forbidden_arcs"],
    ["Forbid any edge", "forbidden_edges"],
  ];
  const believe = () => {
    menu.remove();
    app.store.set({ knowledge: addBelief(app.store.get().knowledge, a, b, 0.8), message: `Stated: ${a} → ${b} is 80 % likely. The panel Knowledge has other shares.` });
  };
  const menu = h("div", { class: "menu", role: "menu", "aria-label": `${a} and ${b}` }, choices.map(([text, kind]) =>
    button(text, () => {
      menu.remove();
      app.declare(kind, from, to);
    }, { role: "menuitem" })), button(`${a} → ${b} is likely (80 %)`, believe, { role: "menuitem" }));
  menu.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const items = [...menu.children];
    const next = (items.indexOf(/** @type {Element} */ (document.activeElement)) + step + items.length) % items.length;
    /** @type {HTMLElement} */ (items[next]).focus();
    event.preventDefault();
  });
  holder.append(menu);
  const [wide, high] = [holder.clientWidth, holder.clientHeight];
  menu.style.left = `${Math.max(0, Math.min(at[0], wide - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(0, Math.min(at[1], high - menu.offsetHeight - 8))}px`;
  /** @type {HTMLElement} */ (menu.firstChild).focus();
}
