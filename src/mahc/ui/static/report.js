// The report file: the document is in the page.
import { createApp } from "./app.js";
import { sliceNames } from "./tiers.js";

/** @import {Result} from "./documents.js" */

const holder = /** @type {HTMLElement} */ (document.getElementById("document"));
/** @type {Result} */
const doc = JSON.parse(holder.textContent || "null");
createApp(/** @type {HTMLElement} */ (document.getElementById("app")), { doc, knowledge: doc.knowledge, lanes: sliceNames(doc.knowledge) !== null });
document.documentElement.dataset.ready = "true";
performance.mark("mahc-ready");
