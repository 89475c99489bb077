/** `edgeproof playground`: its options and help. */
import { declare, flag, outFolder, required } from "../../declare.ts";

export const playground = declare({
  name: "playground",
  summary: "Write a page that evaluates, checks and compares custom and token rules without a server.",
  about: [
    "Writes index.html: one page with everything in it, which works when it is opened from a disk and on any server of static files. It has rules on one side, and a request with its verdict on the other; it shows the findings of the rules, and compares two versions. All is computed in the page, and nothing is sent. A link holds its whole state after `#`, which browsers do not send; tokens and private keys are left out of it unless you ask for them.",
  ],
  options: {
    out: required(outFolder("Folder to write index.html to; it is created."), "it must name a folder"),
    replace: flag("Replace index.html when it exists."),
  },
  exits: {
    0: "The page was written.",
    2: "There is an index.html already, or it cannot be written.",
  },
  examples: ["edgeproof playground --out public", "edgeproof playground --out public --replace"],
  ignoresProject: true,
});
