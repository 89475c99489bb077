/** Commands read YAML files in the same way as JSON files, by extension, and by content on standard input. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mintKey } from "edgeproof/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";

const id = "51231d16-01f1-48e3-93f8-91c99e81288e";
const { jwk } = await mintKey("ES256");

/** A world with one rule, as a person writes it. */
const worldOf = (expression: string) => `# a world
zones:
  - id: z1
    name: example.com
    token_validation:
      configs:
        - id: ${id}
          token_sources: ['http.request.headers["authorization"][0]']
          credentials:
            keys:
              - ${JSON.stringify(jwk)}
      rules:
        - action: block
          expression: ${expression}
          selector: { include: [{ host: [api.example.com] }] }
`;

const good = worldOf(`is_jwt_valid("${id}")`);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
});

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe("a YAML world", () => {
  test.each(["world.yaml", "world.yml", "WORLD.YAML", "no-extension"])("is read from %s", async (name) => {
    const { code, out } = await edgeproof(["check", await file(name, good)]);
    expect([code, out]).toEqual([0, "1 configuration, 1 rule: 0 errors, 0 warnings, 0 notes\n"]);
  });

  test("is read from standard input, and so is a JSON world", async () => {
    expect((await edgeproof(["check", "-"], good)).code).toBe(0);
    expect((await edgeproof(["check", "-", "--allow-empty"], '\n {"zones": []}')).code).toBe(0);
  });

  test("has findings at the line and column of the YAML text", async () => {
    const { code, out } = await edgeproof(["check", await file("maybe.yaml", worldOf("maybe"))]);
    expect(code).toBe(1);
    expect(out).toMatch(/maybe\.yaml:14:23: error/);
  });

  test("evaluates requests of a YAML file", async () => {
    const world = await file("world.yaml", good);
    const requests = await file("requests.yaml", "- { url: https://api.example.com/a, expect: block }\n");
    const { code, out } = await edgeproof(["eval", "--world", world, "--requests", requests]);
    expect([code, out]).toEqual([0, expect.stringContaining("block")]);
  });

  test("is rejected with line and column when it is not YAML", async () => {
    const { code, err } = await edgeproof(["check", await file("bad.yaml", "zones:\n\t- id: z1\n")]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("bad.yaml:2:1: the text is not YAML: a tab cannot indent; use spaces"),
    ]);
  });
});

test("a file with another extension is JSON", async () => {
  const { code, err } = await edgeproof(["check", await file("world.json", good)]);
  expect([code, err]).toEqual([2, expect.stringContaining("world.json:1:1: the text is not JSON")]);
});

test("lint does not fix a YAML file, whose comments would be lost", async () => {
  const path = await file("app.yml", "# mine\nprotocol: tcp/22\n");
  const { code, err } = await edgeproof(["lint", path, "--fix"]);
  expect([code, err]).toEqual([2, expect.stringContaining("it cannot fix the YAML file")]);
});
