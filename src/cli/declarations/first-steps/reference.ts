/** `edgeproof complete` and `edgeproof explain`: their options and help. */
import { declare, flag } from "../../declare.ts";
import { jsonOption } from "../../options/output.ts";

export const shells = ["bash", "zsh", "fish", "powershell"] as const;

export const complete = declare({
  name: "complete",
  summary: "Print the script with which a shell completes commands, options and values.",
  about: [
    "Prints the script for bash, zsh, fish or powershell. Where a value is a file, the shell completes files.",
  ],
  arguments: {
    usage: "<shell>",
    min: 1,
    expected: `a shell: ${shells.join(", ")}`,
    words: async () => shells,
  },
  options: {
    words: flag("Print the words that the last argument can become, one a line. The scripts use it."),
  },
  exits: {
    0: "The script or the words were printed.",
    2: "The shell is not known.",
  },
  examples: [
    'eval "$(edgeproof complete bash)"',
    "edgeproof complete zsh > ~/.zfunc/_edgeproof",
    "edgeproof complete fish > ~/.config/fish/completions/edgeproof.fish",
    "edgeproof complete powershell >> $PROFILE",
    "edgeproof complete --words -- brand match --",
  ],
  ignoresProject: true,
});

export const explain = declare({
  name: "explain",
  summary: "Explain a rule of findings, a code of the interface, or a word of expressions.",
  about: [
    "Prints the situation that a rule reports, its consequence, what to do, and where the rule is from. The ids of rules are in the output of `check`, `eval`, `diff`, `replay` and `suite mutate`, in every format, and in docs/rules.md.",
    "A number is a code of the interface: in the `errors` or `messages` of a response, or in a finding. Every rule with this code is explained, with the name of the code and the status of the response.",
    "A word is a field, function or operator of token validation rules or custom rules. `language` prints the facts about both languages that are often stated wrongly, each with examples and their values.",
  ],
  arguments: {
    usage: "<rule|code|word>",
    min: 1,
    max: 1,
    expected: "a rule, a code or a word",
    words: async () => [
      ...(await import("../../output/results/rules.ts")).allRules.map(({ id }) => id),
      ...(await import("../../commands/explain/words.ts")).wordNames,
    ],
  },
  options: jsonOption,
  exits: {
    0: "The rule, the code or the word was explained.",
    2: "It is not known.",
  },
  examples: [
    "edgeproof explain always-true",
    "edgeproof explain images-image-not-found",
    "edgeproof explain 11034 --json",
    "edgeproof explain is_jwt_present",
    "edgeproof explain language",
  ],
  schema: "explain",
  ignoresProject: true,
});
