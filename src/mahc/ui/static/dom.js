// Elements made by hand: text is always set as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Record<string, any>} props attributes; `on...` are listeners, null and false leave an attribute out
 * @param {any[]} children elements, texts, arrays of these; null and false are left out
 */
function fill(element, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/** An HTML element. @returns {any} */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** An SVG element. @returns {any} */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** Replace all children; the keyboard focus stays on the element with the same id or data-key, and `details` with a data-key stay open or closed. */
export function replace(element, ...children) {
  const active = /** @type {any} */ (document.activeElement);
  const key = active && element.contains(active) ? active.id || active.dataset.key : null;
  const folds = new Map([...element.querySelectorAll("details[data-key]")].map((e) => [e.dataset.key, e.open]));
  element.replaceChildren();
  append(element, children);
  for (const each of element.querySelectorAll("details[data-key]")) each.open = folds.get(each.dataset.key) ?? each.open;
  if (!key) return;
  const again = [...element.querySelectorAll("[id], [data-key]")].find((e) => e.id === key || e.dataset.key === key);
  if (again) again.focus();
}

/** A button that puts a text on the clipboard, and says so. */
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

/** A button with a verb on it. */
export function button(text, onclick, props = {}) {
  return h("button", { type: "button", onclick, ...props }, text);
}

/** A number for people: thousands separated, as many decimals as its size needs. */
export function number(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "unknown";
  const size = Math.abs(value);
  const decimals = Number.isInteger(value) ? 0 : size >= 1000 ? 1 : size >= 10 ? 2 : digits;
  return value.toLocaleString("en", { minimumFractionDigits: 0, maximumFractionDigits: decimals });
}

/** A number with its noun. @param {number} many @param {string} noun @param {string} [several] */
export const countOf = (many, noun, several = `${noun}s`) => `${many.toLocaleString("en")} ${many === 1 ? noun : several}`;

/** A share as a percentage. */
export function percent(share) {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

/** Offer a text or blob as a file to save. */
export function saveFile(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
