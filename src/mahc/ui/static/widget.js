// The notebook: anywidget calls `render` with a model that holds the document and the styles.
import { h } from "./dom.js";
import { createApp } from "./app.js";

/** @import {Result} from "./documents.js" */

/** @param {{model: {get: (name: string) => string}, el: HTMLElement}} given */
export function render({ model, el }) {
  /** @type {Result} */
  const doc = JSON.parse(model.get("document"));
  const root = h("div", { class: "in-notebook", tabindex: "-1" });
  el.append(root);
  createApp(root, { doc, knowledge: doc.knowledge }, { keys: root, bare: true });
}
