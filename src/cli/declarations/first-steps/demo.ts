/** `edgeproof demo`: its options and help. */
import { declare } from "../../declare.ts";
import { jsonOption } from "../../options/output.ts";

export const demo = declare({
  name: "demo",
  summary: "Show the main features on built-in samples.",
  about: [
    "Mints keys and tokens, evaluates requests with token rules and custom rules, finds look-alikes of a name and a logo, renders a photograph and checks proxy applications. Every result is computed when the command runs; it writes no file and uses no network.",
  ],
  options: jsonOption,
  exits: { 0: "The demo was printed." },
  examples: ["edgeproof demo"],
  schema: "demo",
});
