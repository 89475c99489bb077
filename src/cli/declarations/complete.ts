/** `edgeproof complete`: its options and help. */
import { declare, flag } from "../declare.ts";

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
});
