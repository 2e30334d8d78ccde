// Numbers that people type: what is none, or out of range, is refused in a sentence that names the field.
import { Refusal } from "./server.js";

/** @param {string} field its label @param {string} text @param {{least?: number, most?: number, whole?: boolean}} [range] @returns {number} */
export function readNumber(field, text, { least = -Infinity, most = Infinity, whole = false } = {}) {
  const value = text.trim() ? Number(text) : NaN;
  if (Number.isFinite(value) && value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  const range = [Number.isFinite(least) && `from ${least}`, Number.isFinite(most) ? `to ${most}` : Number.isFinite(least) && "on"].filter(Boolean);
  const wanted = [whole ? "a whole number" : "a number", ...range].join(" ");
  throw new Refusal(`“${field}”: ${text.trim() ? `“${text.trim()}” is not ${wanted}` : "nothing is typed"}. Type ${wanted}${/^\s*-?\d+,\d+\s*$/.test(text) ? ", with a point as decimal mark" : ""}.`);
}
