/** `edgeproof explain`: its options and help. */
import { declare } from "../declare.ts";
import { jsonOption } from "../options/output.ts";

export const explain = declare({
  name: "explain",
  summary: "Explain a rule of findings or a code of the interface.",
  about: [
    "Prints the situation that a rule reports, its consequence, what to do, and where the rule is from. The ids of rules are in the output of `check`, `eval`, `diff`, `replay` and `suite mutate`, in every format, and in docs/rules.md.",
    "A number is a code of the interface: in the `errors` or `messages` of a response, or in a finding. Every rule with this code is explained, with the name of the code and the status of the response.",
  ],
  arguments: {
    usage: "<rule|code>",
    min: 1,
    max: 1,
    expected: "a rule or a code",
    words: async () => (await import("../output/results/rules.ts")).allRules.map(({ id }) => id),
  },
  options: jsonOption,
  exits: {
    0: "The rule or the code was explained.",
    2: "The rule or the code is not known.",
  },
  examples: [
    "edgeproof explain always-true",
    "edgeproof explain images-image-not-found",
    "edgeproof explain 11034 --json",
  ],
  schema: "explain",
});
