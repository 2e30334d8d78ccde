// The minimap: all variables small, and what of them is in the picture; a click or drag goes there.
import { s } from "./dom.js";

/** @import {Box} from "./documents.js" */

const WIDE = 150;
const HIGH = 100;

/** @param {HTMLElement} holder @param {(x: number, y: number) => void} goTo called with a place of the drawing */
export function createMinimap(holder, goTo) {
  const boxes = s("path", { class: "map-boxes" });
  const frame = s("rect", { class: "map-frame" });
  const svg = s("svg", { class: "minimap", viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" }, boxes, frame);
  holder.append(svg);
  let [scale, left, top] = [1, 0, 0];

  /** @param {PointerEvent} event */
  const go = (event) => {
    const place = svg.getBoundingClientRect();
    goTo(((event.clientX - place.left) / place.width) * WIDE / scale - left, ((event.clientY - place.top) / place.height) * HIGH / scale - top);
  };
  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture(event.pointerId);
    go(event);
  });
  svg.addEventListener("pointermove", (event) => event.buttons && go(event));

  return {
    /** Draw the variables. @param {Box[]} places @param {Box} whole */
    draw(places, whole) {
      scale = Math.min(WIDE / (whole.width + 20), HIGH / (whole.height + 20));
      left = (WIDE / scale - whole.width) / 2 - whole.x;
      top = (HIGH / scale - whole.height) / 2 - whole.y;
      /** @param {number} value */
      const corner = (value) => (value * scale).toFixed(1);
      boxes.setAttribute("d", places.map(({ x, y, width, height }) => `M${corner(x - width / 2 + left)} ${corner(y - height / 2 + top)}h${corner(width)}v${corner(Math.max(height, 1.5 / scale))}h-${corner(width)}z`).join(""));
    },
    /** Show what is in the picture; nothing where all is. @param {number} x @param {number} y @param {number} width @param {number} height @param {boolean} all */
    show(x, y, width, height, all) {
      svg.classList.toggle("away", all);
      for (const [name, value] of Object.entries({ x: (x + left) * scale, y: (y + top) * scale, width: width * scale, height: height * scale })) frame.setAttribute(name, value.toFixed(1));
    },
  };
}
