/** The schemas of the `--json` output of every command, published as JSON Schemas in `schemas/cli/`. */
import * as z from "zod";
import { logoOutput, matchOutput, variantLine } from "./brand.ts";
import { explainOutput } from "./explain.ts";
import { renderOutput, signOutput } from "./images.ts";
import { keysOutput } from "./keys.ts";
import { configOutput, initOutput } from "./project.ts";
import { pullOutput } from "./pull.ts";
import { replayOutput } from "./replay.ts";
import { reportOutput } from "./report.ts";
import { diffOutput, evalOutput } from "./rules.ts";
import { sarifLog } from "./sarif.ts";
import {
  demoOutput,
  exportOutput,
  importOutput,
  observeOutput,
  publishOutput,
  queueOutput,
  reindexOutput,
  serveOutput,
  workbenchOutput,
  workerOutput,
} from "./service.ts";
import { coverageOutput, mutateOutput } from "./suite.ts";
import { worldOutput } from "./world.ts";

/** Schemas by command name; `sarif` is the schema of `--format sarif`, `coverage` that of `eval --coverage json`. */
export const jsonOutputs = {
  check: reportOutput,
  config: configOutput,
  coverage: coverageOutput,
  demo: demoOutput,
  diff: diffOutput,
  eval: evalOutput,
  explain: explainOutput,
  export: exportOutput,
  import: importOutput,
  init: initOutput,
  keys: keysOutput,
  logo: logoOutput,
  match: matchOutput,
  mutate: mutateOutput,
  observe: observeOutput,
  publish: publishOutput,
  pull: pullOutput,
  queue: queueOutput,
  reindex: reindexOutput,
  render: renderOutput,
  replay: replayOutput,
  sarif: sarifLog,
  serve: serveOutput,
  sign: signOutput,
  variants: variantLine,
  workbench: workbenchOutput,
  worker: workerOutput,
  world: worldOutput,
} as const satisfies Record<string, z.ZodType>;

export type JsonOutputName = keyof typeof jsonOutputs;

/** Titles of outputs that are not of `--json`. */
const titles: Partial<Record<JsonOutputName, string>> = {
  coverage: "edgeproof eval --coverage json",
  sarif: "edgeproof SARIF log",
};

/** The JSON Schema (draft 2020-12) of an output. */
export function outputJsonSchema(name: JsonOutputName): object {
  const { $schema, ...schema } = z.toJSONSchema(jsonOutputs[name], { io: "output" });
  const title = titles[name] ?? `edgeproof ${name} --json`;
  return { $schema, title, ...schema };
}
