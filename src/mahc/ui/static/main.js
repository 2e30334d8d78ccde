// The page of the server. A reload finds its place in the address. Panels of one place stand in the order of these imports.
import "./start.js";
import { createApp } from "./app.js";
import "./learn.js";
import "./runs.js";
import "./knowledge.js";
import "./effects.js";
import "./questions.js";
import "./share.js";
import { createClient } from "./server.js";
import { createSession } from "./session.js";

async function begin() {
  const client = createClient(new URLSearchParams(location.search).get("token") || "");
  const session = createSession(client);
  const app = createApp(/** @type {HTMLElement} */ (document.getElementById("app")), { editable: true, about: await client.about(), step: "data" }, { session });
  session.attach(app);
  await session.attempt(session.restore);
  document.documentElement.dataset.ready = "true";
}

begin();
