// The graph as an SVG or PNG file, with the styles that it needs inside.
import { button, s, saveFile } from "./dom.js";
import { bounds } from "./geometry.js";
import { register } from "./registry.js";

const MARGIN = 24;

register({
  id: "picture",
  title: "Picture",
  place: "save",
  reads: [],
  attributes: { class: "drop-list" },
  render: (_, app) => [button("Picture as SVG", () => saveSvg(app.view, "graph")), button("Picture as PNG", () => savePng(app.view, "graph"))],
});

/** The graph as it is shown, whole, as the text of an SVG file. */
function svgText(view) {
  const around = bounds(view.places);
  const [wide, high] = [around.width + 2 * MARGIN, around.height + 2 * MARGIN];
  const copy = view.world.cloneNode(true);
  copy.setAttribute("transform", `translate(${MARGIN - around.x} ${MARGIN - around.y})`);
  for (const gone of copy.querySelectorAll(".touch, .rubber, .ground, .hidden")) gone.remove();
  const paper = s("rect", { width: wide, height: high, fill: getComputedStyle(view.svg).getPropertyValue("--paper") });
  const size = { width: Math.ceil(wide), height: Math.ceil(high), viewBox: `0 0 ${wide} ${high}` };
  const svg = s("svg", { xmlns: "http://www.w3.org/2000/svg", class: "graph", ...size }, s("style", {}, styles(view.svg)), paper, copy);
  return new XMLSerializer().serializeToString(svg);
}

/** The rules for the graph, with the values of their variables filled in. */
function styles(svg) {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText);
  const values = getComputedStyle(svg);
  const mine = rules.filter((text) => text.startsWith(".graph")).join("\n");
  return mine.replace(/var\((--[\w-]+)\)/g, (_, name) => values.getPropertyValue(name).trim());
}

function saveSvg(view, name) {
  saveFile(`${name}.svg`, svgText(view), "image/svg+xml");
}

/** Twice the size of the SVG, within what browsers can draw. */
async function savePng(view, name) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svgText(view)], { type: "image/svg+xml" }));
  await new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = () => reject(new Error("the picture could not be drawn"));
    image.src = address;
  });
  const factor = Math.min(2, 12000 / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(image.width * factor), Math.round(image.height * factor)];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  saveFile(`${name}.png`, blob, "image/png");
}
