/** The schemas of the `--json` output of every command, published as JSON Schemas in `schemas/cli/`. */
import { z } from "zod";
import { auditOutput } from "./audit.ts";
import { logoOutput, matchOutput, variantLine } from "./brand.ts";
import { renderOutput, signOutput } from "./images.ts";
import { keysOutput } from "./keys.ts";
import { lintOutput } from "./proxy.ts";
import { pullOutput } from "./pull.ts";
import { replayOutput } from "./replay.ts";
import { checkOutput, diffOutput, evalOutput } from "./rules.ts";
import { sarifLog } from "./sarif.ts";
import { demoOutput, exportOutput, importOutput, serveOutput } from "./service.ts";
import { mutateOutput } from "./suite.ts";
import { worldOutput } from "./world.ts";

/** Schemas by command name; `sarif` is the schema of `--format sarif`. */
export const jsonOutputs = {
  audit: auditOutput,
  check: checkOutput,
  demo: demoOutput,
  diff: diffOutput,
  eval: evalOutput,
  export: exportOutput,
  import: importOutput,
  keys: keysOutput,
  lint: lintOutput,
  logo: logoOutput,
  match: matchOutput,
  mutate: mutateOutput,
  pull: pullOutput,
  render: renderOutput,
  replay: replayOutput,
  sarif: sarifLog,
  serve: serveOutput,
  sign: signOutput,
  variants: variantLine,
  world: worldOutput,
} as const satisfies Record<string, z.ZodType>;

export type JsonOutputName = keyof typeof jsonOutputs;

/** The JSON Schema (draft 2020-12) of an output. */
export function outputJsonSchema(name: JsonOutputName): object {
  const { $schema, ...schema } = z.toJSONSchema(jsonOutputs[name], { io: "output" });
  const title = name === "sarif" ? "edgeproof SARIF log" : `edgeproof ${name} --json`;
  return { $schema, title, ...schema };
}
