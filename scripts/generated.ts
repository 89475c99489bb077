/** Every file that is made from the code, and what makes it. */
import { readFileSync } from "node:fs";
import { grammarFiles, printGrammar } from "../editors/vscode/grammar.mts";
import { commands } from "../src/cli/commands/commands.ts";
import { optionsJsonSchema } from "../src/cli/input/edge/edge-options-schema.ts";
import {
  type JsonOutputName,
  jsonOutputs,
  outputJsonSchema,
} from "../src/cli/output/schemas/json-outputs.ts";
import { configJsonSchema } from "../src/cli/project/config-schema.ts";
import { version } from "../src/cli/version.ts";
import { runSteps } from "../src/core/work/steps.ts";
import { endpoints } from "../src/http/endpoints/endpoints.ts";
import { openApiDocument } from "../src/http/openapi.ts";
import { worldJsonSchema } from "../src/service/world/response-members.ts";
import { withFormats } from "./action-inputs.ts";
import { cliPage } from "./cli-page.ts";
import { renderProxyCodes } from "./generate-proxy-codes.ts";
import { manualPage } from "./manual-page.ts";
import { propertiesPage } from "./properties.ts";
import { referencePage } from "./reference-page.ts";
import { readManifest, withAddresses, withLinks } from "./repository.ts";
import { rulesPage } from "./rules-page.ts";

export interface Generated {
  readonly path: string;
  readonly make: () => string;
}

/** The interface in the words of the specification, which are the default. */
function interfaceDocument() {
  return runSteps(
    openApiDocument(endpoints, { wireNames: "spec", envelopes: "spec", basePath: "/client/v4" }),
  );
}

export const generated: readonly Generated[] = [
  { path: "schemas/world.schema.json", make: () => `${JSON.stringify(worldJsonSchema(), null, 2)}\n` },
  { path: "schemas/options.schema.json", make: () => `${JSON.stringify(optionsJsonSchema(), null, 2)}\n` },
  {
    path: "schemas/config.schema.json",
    make: () => `${JSON.stringify(configJsonSchema(commands), null, 2)}\n`,
  },
  { path: "schemas/openapi.json", make: () => `${JSON.stringify(interfaceDocument(), null, 2)}\n` },
  ...(Object.keys(jsonOutputs) as JsonOutputName[]).map((name) => ({
    path: `schemas/cli/${name}.schema.json`,
    make: () => `${JSON.stringify(outputJsonSchema(name), null, 2)}\n`,
  })),
  { path: "docs/cli.md", make: () => cliPage(commands) },
  { path: "docs/edgeproof.1", make: () => manualPage(commands, version) },
  { path: "action.yml", make: () => withFormats(readFileSync("action.yml", "utf8"), commands) },
  ...Object.entries(grammarFiles).map(([name, grammar]) => ({
    path: `editors/vscode/${name}`,
    make: () => printGrammar(grammar),
  })),
  { path: "docs/reference.md", make: referencePage },
  { path: "docs/properties.md", make: propertiesPage },
  { path: "docs/rules.md", make: rulesPage },
  { path: "docs/proxy-codes.md", make: renderProxyCodes },
  { path: "package.json", make: () => `${JSON.stringify(withAddresses(readManifest()), null, 2)}\n` },
  { path: "README.md", make: () => withLinks(readFileSync("README.md", "utf8"), readManifest()) },
];
