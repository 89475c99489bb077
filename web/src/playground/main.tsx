/** Starts the playground. */
import { render } from "preact";
import { prepareRegularExpressions } from "../../../src/engine/tokens/expression/patterns/regular-expression.ts";
import { useDataSource } from "../data.ts";
import { detachAddress } from "../view-state.ts";
import { createEngineSource } from "./engine-source.ts";
import { Playground } from "./playground.tsx";
import { begin, readLink, rules } from "./state.ts";

useDataSource(createEngineSource(rules));
detachAddress();
addEventListener("hashchange", () => {
  if (location.hash.length > 1) void readLink();
});
// The screens parse expressions; the engines in the worker have an engine of their own.
void prepareRegularExpressions().then(() => {
  void begin();
  const root = document.getElementById("app");
  if (root) render(<Playground />, root);
});
