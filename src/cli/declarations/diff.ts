/** `edgeproof diff`: its options and help. */
import { observations } from "../../engine/tokens/analysis/observation.ts";
import { choice, declare } from "../declare.ts";
import { acceptOptions, formatOptions } from "../options/output.ts";
import { importOptions, partialOption, profileOption, zonesOption } from "../options/world.ts";

export const diff = declare({
  name: "diff",
  summary:
    "Compare the custom and token rules of two worlds: equivalent, or a request that they treat differently.",
  about: [
    "The comparison covers all possible requests, not samples. For each difference it shows a request and its treatment by the old and the new rules. A placeholder in a header represents a valid token; the output names the key that must sign it.",
  ],
  arguments: { usage: "<old.json> <new.json>", min: 2, max: 2, expected: "2 world files" },
  options: {
    ...zonesOption,
    effect: choice(
      observations,
      "What is compared: the action alone, also what custom rules skip, log and answer, or also which rules act. Default: effect.",
    ),
    ...formatOptions,
    ...acceptOptions,
    ...profileOption,
    ...importOptions,
    ...partialOption,
  },
  exits: {
    0: "Rules were compared, and both worlds do the same to every request.",
    1: "They differ, a comparison is undecided, or there was nothing to compare.",
  },
  examples: [
    "edgeproof diff old.json new.json",
    "edgeproof diff terraform.tfstate plan.json",
    "edgeproof diff old.json new.json --zone z1 --json",
    "edgeproof diff old.json new.json --effect action",
  ],
  schema: "diff",
});
