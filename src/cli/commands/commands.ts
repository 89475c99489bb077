/** The list of commands. A command's file, and with it the engine that it runs, is loaded when the command is named. */

import type { Command, CommandDefinition, CommandEntry } from "../command.ts";

/** A command of the list. */
export interface ListedCommand extends CommandEntry {
  readonly load: () => Promise<CommandDefinition>;
}

export const commands: readonly ListedCommand[] = [
  {
    name: "audit",
    group: "configuration",
    summary: "Compare an OpenAPI document with the token rules of a zone: protected, logged, unprotected.",
    load: async () => (await import("./check/earlier-names.ts")).audit,
  },
  {
    name: "check",
    group: "rules",
    summary: "Check token rules, proxy applications, domain queries and image variants, without any request.",
    load: async () => (await import("./check/check.ts")).check,
  },
  {
    name: "demo",
    group: "start",
    summary: "Show the main features on built-in samples.",
    load: async () => (await import("./demo.ts")).demo,
  },
  {
    name: "diff",
    group: "rules",
    summary: "Compare the token rules of two worlds: equivalent, or a request that they treat differently.",
    load: async () => (await import("./diff.ts")).diff,
  },
  {
    name: "eval",
    group: "rules",
    summary: "Evaluate simulated requests against the rules of a world.",
    load: async () => (await import("./eval.ts")).evaluate,
  },
  {
    name: "export",
    group: "service",
    summary: "Write the contents of a store to one file.",
    load: async () => (await import("./service/export.ts")).exportCommand,
  },
  {
    name: "generate",
    group: "rules",
    summary: "Write a test suite for the token rules of a world that notices every change of a rule.",
    load: async () => (await import("./suite/generate.ts")).generate,
  },
  {
    name: "import",
    group: "service",
    summary: "Import an export file into an empty store: all of it, or nothing.",
    load: async () => (await import("./service/import.ts")).importCommand,
  },
  {
    name: "keys",
    group: "configuration",
    summary: "Read the keys of an issuer for a configuration, or compare a configuration with its issuer.",
    load: async () => (await import("./configuration/keys.ts")).keys,
  },
  {
    name: "lint",
    group: "proxy",
    summary: "Check proxy applications without creating them.",
    load: async () => (await import("./check/earlier-names.ts")).lint,
  },
  {
    name: "logo",
    group: "brand",
    summary: "Find a logo in picture files, even when it was modified.",
    load: async () => (await import("./logo.ts")).logo,
  },
  {
    name: "match",
    group: "brand",
    summary: "Find names that resemble a brand, in files of any size.",
    load: async () => (await import("./names/match.ts")).match,
  },
  {
    name: "mutate",
    group: "rules",
    summary: "Change the token rules one part at a time, and show which changes a list of requests notices.",
    load: async () => (await import("./suite/mutate.ts")).mutate,
  },
  {
    name: "observe",
    group: "service",
    summary: "Store observed names and pictures, and match them with the queries of accounts.",
    load: async () => (await import("./service/observe.ts")).observe,
  },
  {
    name: "publish",
    group: "service",
    summary: "Put pictures on a work queue, for workers on any number of machines.",
    load: async () => (await import("./service/publish.ts")).publish,
  },
  {
    name: "pull",
    group: "configuration",
    summary: "Read the configuration of a zone from the interface, as a world file.",
    load: async () => (await import("./configuration/pull.ts")).pull,
  },
  {
    name: "queue",
    group: "service",
    summary: "Set up a work queue; its numbers, and the messages that were set aside.",
    load: async () => (await import("./service/queue.ts")).queue,
  },
  {
    name: "reindex",
    group: "service",
    summary: "Describe the stored logos and pictures again that an earlier version described.",
    load: async () => (await import("./service/reindex.ts")).reindex,
  },
  {
    name: "render",
    group: "images",
    summary: "Render an image file through a variant.",
    load: async () => (await import("./render.ts")).render,
  },
  {
    name: "replay",
    group: "rules",
    summary:
      "Replay recorded traffic (HAR, Logpush, curl) against a world: changed verdicts, same answer as the edge.",
    load: async () => (await import("./replay.ts")).replay,
  },
  {
    name: "serve",
    group: "service",
    summary: "Serve the whole interface over HTTP on this machine.",
    load: async () => (await import("./service/serve.ts")).serve,
  },
  {
    name: "sign",
    group: "images",
    summary: "Sign the delivery address of an image.",
    load: async () => (await import("./sign.ts")).sign,
  },
  {
    name: "variants",
    group: "brand",
    summary: "List the look-alikes of a domain, by technique.",
    load: async () => (await import("./names/variants.ts")).variants,
  },
  {
    name: "workbench",
    group: "start",
    summary:
      "Open a local page that shows why a request is blocked, and edit rules with the result beside them.",
    load: async () => (await import("./service/workbench.ts")).workbench,
  },
  {
    name: "worker",
    group: "service",
    summary: "Describe and store the pictures of a work queue, until it is stopped.",
    load: async () => (await import("./service/worker.ts")).worker,
  },
  {
    name: "world",
    group: "start",
    summary: "Make a world file from Terraform files or saved responses of the interface.",
    load: async () => (await import("./configuration/world.ts")).world,
  },
];

/** A command with its options, help and function. */
export async function loadCommand({ load, ...entry }: ListedCommand): Promise<Command> {
  return { ...entry, ...(await load()) };
}

/** Every command, loaded. */
export function loadCommands(): Promise<Command[]> {
  return Promise.all(commands.map(loadCommand));
}
