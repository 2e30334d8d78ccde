// Elements made by hand: text is always set as text, never as HTML.

/** @typedef {Node | string | number | boolean | null | undefined | Children} Child null and false are left out */
/** @typedef {{length: number, [place: number]: Child}} Children an array of these, and of such arrays */
/** @typedef {string | number | boolean | null | undefined} Attribute null and false leave it out */
/** @typedef {Record<string, Attribute>} Attributes */
/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLDetailsElement} Field what is itself the target of the events that a listener of it is there for */
/**
 * @template {Element} T @template {Event} E
 * @typedef {(event: E & {currentTarget: T, target: T extends Field ? T : Element}) => unknown} Listener
 */
/**
 * Attributes, and listeners as `on...`.
 * @template {Element} T
 * @typedef {{
 *   onclick?: Listener<T, MouseEvent>, onchange?: Listener<T, Event>, oninput?: Listener<T, Event>, ontoggle?: Listener<T, Event>,
 *   onkeydown?: Listener<T, KeyboardEvent>, ondragstart?: Listener<T, DragEvent>, ondragover?: Listener<T, DragEvent>, ondrop?: Listener<T, DragEvent>,
 *   [name: string]: Attribute | ((event: never) => unknown)
 * }} Props
 */

const SVG = "http://www.w3.org/2000/svg";

/** @template {Element} T @param {T} element @param {object | null | undefined} props @param {Child[]} children */
function fill(element, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === "value" || name === "checked" || name === "disabled") Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** @param {Element} element @param {Child[]} children */
function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child !== null && child !== undefined && child !== false) element.append(/** @type {Node | string} */ (child));
  }
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Props<HTMLElementTagNameMap[Tag]>} [props] @param {Child[]} children
 */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag @param {Attributes} [props] @param {Child[]} children
 */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** Replace all children; the keyboard focus stays on the element with the same id or data-key, and `details` with a data-key stay open or closed. @param {Element} element @param {Child[]} children */
export function replace(element, ...children) {
  /** @type {() => NodeListOf<HTMLDetailsElement>} */
  const details = () => element.querySelectorAll("details[data-key]");
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  const key = active && element.contains(active) ? active.id || active.dataset.key : null;
  const folds = new Map([...details()].map((e) => [e.dataset.key, e.open]));
  element.replaceChildren();
  append(element, children);
  for (const each of details()) each.open = folds.get(each.dataset.key) ?? each.open;
  if (!key) return;
  /** @type {NodeListOf<HTMLElement>} */
  const named = element.querySelectorAll("[id], [data-key]");
  const again = [...named].find((e) => e.id === key || e.dataset.key === key);
  if (again) again.focus();
}

/** A button that puts a text on the clipboard, and says so. @param {string} title @param {() => string} text @param {Attributes} [props] @returns {HTMLButtonElement} */
export function copyButton(title, text, props = {}) {
  const made = button(title, async () => {
    try {
      await navigator.clipboard.writeText(text());
      made.textContent = "Copied";
    } catch {
      made.textContent = "The browser refused: select the text and copy it";
    }
    setTimeout(() => made.replaceChildren(title), 1500);
  }, props);
  return made;
}

/** A button with a verb on it. @param {Child} text @param {Listener<HTMLButtonElement, MouseEvent>} onclick @param {Props<HTMLButtonElement>} [props] */
export function button(text, onclick, props = {}) {
  return h("button", { type: "button", onclick, ...props }, text);
}

/** A number for people: thousands separated, as many decimals as its size needs. @param {number | null | undefined} value @param {number} [digits] */
export function number(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "unknown";
  const size = Math.abs(value);
  const decimals = Number.isInteger(value) ? 0 : size >= 1000 ? 1 : size >= 10 ? 2 : digits;
  return value.toLocaleString("en", { minimumFractionDigits: 0, maximumFractionDigits: decimals });
}

/** A number with its noun. @param {number} many @param {string} noun @param {string} [several] */
export const countOf = (many, noun, several = `${noun}s`) => `${many.toLocaleString("en")} ${many === 1 ? noun : several}`;

/** A share as a percentage. @param {number} share */
export function percent(share) {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

/** Offer a text or blob as a file to save. @param {string} name @param {string | Blob} content @param {string} type */
export function saveFile(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** A labelled choice: options are value and text. @param {string} label @param {string} id @param {string} value @param {string[][]} options @param {(value: string) => void} change */
export function choose(label, id, value, options, change) {
  const select = h("select", { id, onchange: (event) => change(event.target.value) }, options.map(([each, text]) => h("option", { value: each }, text)));
  select.value = value;
  return h("label", { class: "field" }, label, select);
}
