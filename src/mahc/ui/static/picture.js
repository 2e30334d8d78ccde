// The graph as an SVG or PNG file, with the styles that it needs inside.
import { button, s, saveFile } from "./dom.js";
import { bounds } from "./geometry.js";
import { register } from "./registry.js";

/** @import {View} from "./view.js" */

const MARGIN = 24;

register({
  id: "picture",
  title: "Picture",
  place: "save",
  reads: [],
  applies: (state) => state.about === null, // the server has the step Share
  attributes: { class: "drop-list" },
  render: (_, app) => [button("Picture as SVG", () => saveSvg(app.view, "graph")), button("Picture as PNG", () => savePng(app.view, "graph", { centimetres: 16, dpi: 300 }))],
});

/** The graph as it is shown, whole, as the text of an SVG file. @param {View} view */
function svgText(view) {
  const around = bounds(view.places.filter((place) => !place.away));
  const [wide, high] = [around.width + 2 * MARGIN, around.height + 2 * MARGIN];
  const copy = /** @type {SVGElement} */ (view.world.cloneNode(true));
  copy.setAttribute("transform", `translate(${MARGIN - around.x} ${MARGIN - around.y})`);
  for (const gone of copy.querySelectorAll(".touch, .rubber, .ground, .hidden, .labels, .away")) gone.remove();
  const paper = s("rect", { width: wide, height: high, fill: getComputedStyle(view.svg).getPropertyValue("--paper") });
  const size = { width: Math.ceil(wide), height: Math.ceil(high), viewBox: `0 0 ${wide} ${high}` };
  const svg = s("svg", { xmlns: "http://www.w3.org/2000/svg", class: "graph", ...size }, s("style", {}, styles(view.svg)), paper, copy);
  return new XMLSerializer().serializeToString(svg);
}

/** The rules for the graph, with the values of their variables filled in. @param {SVGElement} svg */
function styles(svg) {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText);
  const values = getComputedStyle(svg);
  const mine = rules.filter((text) => text.startsWith(".graph")).join("\n");
  return mine.replace(/var\((--[\w-]+)\)/g, (_, name) => values.getPropertyValue(name).trim());
}

/** @param {View} view @param {string} name */
export function saveSvg(view, name) {
  saveFile(`${name}.svg`, svgText(view), "image/svg+xml");
}

const MOST_DOTS = 16000; // along one side, within what browsers can draw

/** @param {View} view @param {string} name @param {{centimetres: number, dpi: number}} size */
export async function savePng(view, name, { centimetres, dpi }) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svgText(view)], { type: "image/svg+xml" }));
  await new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = () => reject(new Error("the picture could not be drawn"));
    image.src = address;
  });
  const wanted = (centimetres / 2.54) * dpi;
  const factor = Math.min(wanted / image.width, MOST_DOTS / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(image.width * factor), Math.round(image.height * factor)];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  saveFile(`${name}.png`, withDensity(new Uint8Array(await blob.arrayBuffer()), dpi), "image/png");
}

/** The PNG with its dots per inch (chunk pHYs, after the header), so that programs print it at its size. @param {Uint8Array} bytes @param {number} dpi */
function withDensity(bytes, dpi) {
  const perMetre = Math.round(dpi / 0.0254);
  const chunk = new DataView(new ArrayBuffer(21));
  chunk.setUint32(0, 9);
  [0x70, 0x48, 0x59, 0x73].forEach((byte, i) => chunk.setUint8(4 + i, byte));
  chunk.setUint32(8, perMetre);
  chunk.setUint32(12, perMetre);
  chunk.setUint8(16, 1);
  let crc = 0xffffffff;
  for (let i = 4; i < 17; i += 1) {
    crc ^= chunk.getUint8(i);
    for (let k = 0; k < 8; k += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  chunk.setUint32(17, (crc ^ 0xffffffff) >>> 0);
  const head = 33; // signature and IHDR
  return new Blob([bytes.slice(0, head), chunk.buffer, bytes.slice(head)], { type: "image/png" });
}
