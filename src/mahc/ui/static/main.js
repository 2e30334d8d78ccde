// The page of the server. A reload finds its place in the address. Panels of one place stand in the order of these imports.
import "./start.js";
import { createApp } from "./app.js";
import "./learnbar.js";
import "./runs.js";
import "./knowledge.js";
import { createClient } from "./server.js";
import { createSession, kept } from "./session.js";
import { emptyKnowledge } from "./state.js";

async function begin() {
  const client = createClient(new URLSearchParams(location.search).get("token") || "");
  const session = createSession(client);
  const values = { editable: true, about: await client.about(), knowledge: kept("knowledge") || emptyKnowledge() };
  session.attach(createApp(document.getElementById("app"), values, { session }));
  await session.attempt(session.restore);
  document.documentElement.dataset.ready = "true";
}

begin();
