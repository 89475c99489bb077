/** Starts the page. */
import { render } from "preact";
import { App } from "./app.tsx";
import { loadOverview } from "./overview.ts";
import { sessionToken, takeToken } from "./session.ts";

takeToken();
// The address of another run, pasted into this tab.
addEventListener("hashchange", () => {
  if (takeToken()) location.reload();
});
if (sessionToken() !== undefined) void loadOverview();
const root = document.getElementById("app");
if (root) render(<App />, root);
