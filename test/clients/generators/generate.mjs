/**
 * Generates the client of one generator from an OpenAPI document: `node generate.mjs <generator> <document> <folder>`. Plain
 * JavaScript in a process of its own, because the generators need TypeScript 5 beside the project's 7.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [generator, document, folder] = process.argv.slice(2);

const generators = {
  "openapi-fetch": async () => {
    const { default: openapi, astToString } = await import("openapi-typescript");
    const { default: ts } = await import("typescript");
    const blob = ts.factory.createTypeReferenceNode("Blob");
    const transform = ({ format }) => (format === "binary" ? blob : undefined);
    const types = await openapi(pathToFileURL(document), { transform });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "schema.ts"), astToString(types));
  },
  "hey-api": async () => {
    const { createClient } = await import("@hey-api/openapi-ts");
    await createClient({
      input: document,
      output: { path: folder },
      plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
      logs: { level: "silent" },
    });
  },
  orval: async () => {
    const { default: orval } = await import("orval");
    await orval.generate({
      input: { target: document },
      output: {
        target: join(folder, "client.ts"),
        client: "fetch",
        mode: "single",
        baseUrl: "https://edge.test/client/v4",
        // With it, orval writes the range of statuses `4XX` as a type, which does not compile.
        override: { fetch: { includeHttpResponseReturnType: false } },
      },
    });
  },
};

await generators[generator]();
