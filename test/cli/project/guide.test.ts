/** The configuration files that docs/project.md shows are valid. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { commands } from "../../../src/cli/commands/commands.ts";
import { configJsonSchema } from "../../../src/cli/project/config-schema.ts";
import { projectFolder } from "./folder.ts";

const shown = [...readFileSync("docs/project.md", "utf8").matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
  ([, text]) => text!,
);

test("the schema and the commands accept them", async () => {
  const validate = new Ajv2020({ strict: false }).compile(configJsonSchema(commands));
  const files = shown.filter((text) => /^(?:worlds|accepted):/m.test(text));
  expect(files.length).toBeGreaterThan(0);
  for (const text of files) {
    expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true);
    const folder = await projectFolder();
    await folder.write({ "edgeproof.config.yaml": text });
    expect(await folder.run(["config", "print"])).toMatchObject({ code: 0, err: "" });
  }
});
