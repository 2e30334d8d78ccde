// The tab with the graph: the picture, and what the pointer and keys do on it.
import { button, h } from "./dom.js";
import { createView } from "./view.js";
import { addGestures } from "./gestures.js";
import { openMenu } from "./menu.js";
import { register } from "./registry.js";

register({
  id: "graph",
  title: "Graph",
  place: "tab",
  steps: ["knowledge", "judge"],
  reads: ["focus", "bars", "answer", "doc", "moved", "lanes", "comparison", "ghosts", "pattern", "knowledge", "selection", "minStrength", "minConfidence", "given", "intervened", "paths"],
  applies: (state) => state.doc !== null,
  always: true, // a variable that is chosen in a list is brought into the picture
  attributes: { class: "pane graph-pane", tabindex: null },
  build(app) {
    const canvas = h("div", { class: "canvas" });
    app.view = createView(canvas);
    addGestures(app.view, app.store, (from, to, at) => openMenu(app, from, to, at));
    canvas.append(h("div", { class: "zoom", role: "group", "aria-label": "Zoom" }, button("Fit", () => app.view.fit()),
      button("+", () => app.view.zoom(1.25), { "aria-label": "Zoom in" }), button("−", () => app.view.zoom(0.8), { "aria-label": "Zoom out" })));
    return canvas;
  },
  render: (state, app) => app.view.show(state),
});
