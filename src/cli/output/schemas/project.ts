/** The `--json` output of `config print` and `init`. */
import * as z from "zod";

const origin = z.strictObject({
  from: z.enum(["command line", "file", "default"]),
  file: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
});

const value = z.strictObject({
  name: z.string(),
  words: z.array(z.string()).describe("As on a command line; a switch that is set has none."),
  ...origin.shape,
});

export const configOutput = z
  .strictObject({
    file: z.string().optional().describe("The configuration file; absent without one."),
    worlds: z.array(value),
    suites: z.array(value),
    commands: z.array(
      z.strictObject({ command: z.string(), arguments: z.array(value), options: z.array(value) }),
    ),
  })
  .describe("Each value with its origin.");

export const initOutput = z
  .strictObject({
    found: z.array(z.strictObject({ file: z.string(), kind: z.string(), use: z.string() })),
    written: z.array(z.string()).describe("The files that were written."),
    next: z.array(z.string()).describe("Commands to run."),
  })
  .describe("What was found and written.");
