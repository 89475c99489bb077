/** `edgeproof workbench`: its options and help. */
import { runCommand } from "../../core/text/run-command.ts";
import { declare, file, renamed } from "../declare.ts";
import { jsonOption } from "../options/output.ts";
import { edgeOptions, workbenchOptions } from "../options/server.ts";
import { blobsConflict } from "../options/stores.ts";

export const workbench = declare({
  name: "workbench",
  summary:
    "Open a local page that shows why a request is blocked, and edit rules with the result beside them.",
  about: [
    "Opens a page on this machine that answers why a request was blocked: paste a curl command, a HAR, a URL with headers or a JWT, and edit the rules with the result beside them. It also shows proxy applications with their codes, matches of names and logos, and pictures through every variant and fit. The data is that of a world file or a store; without either, that of the demo.",
    "The command prints the address of the page. It ends with a token that every request for data needs, so do not pass it on. The page sends requests to this address only.",
  ],
  options: {
    ...edgeOptions,
    open: file(
      `Show the verdicts of this file, which \`${runCommand} serve --log-verdicts\` wrote, in the log of the page.`,
    ),
    port: renamed(workbenchOptions["workbench-port"], "workbench-port"),
    host: renamed(workbenchOptions["workbench-host"], "workbench-host"),
    ...jsonOption,
  },
  exits: {
    0: "The workbench was stopped (Ctrl-C or SIGTERM).",
    1: "The world lacks a rule, key or host; --partial starts without it.",
  },
  examples: [
    "edgeproof workbench",
    "edgeproof workbench --world world.json",
    "edgeproof workbench --data ./edge.db --port 0",
    "edgeproof workbench --world world.json --open run.ndjson",
  ],
  schema: "workbench",
  conflict: blobsConflict,
});
