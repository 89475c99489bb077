/** World files on the command line: their profile, what they may repeat of responses, pictures by path, and errors. */
import { cp, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mintKey } from "edgeproof/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";
import { png } from "../support/images.ts";

const id = "51231d16-01f1-48e3-93f8-91c99e81288e";
const { jwk } = await mintKey("ES256");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
});

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return path;
}

/** Two rules that both match the host: the first logs, the second blocks. */
function worldOf(more: object = {}, config: object = {}) {
  const expression = `is_jwt_valid("${id}")`;
  const rules = ["log", "block"].map((action) => {
    return { action, expression, selector: { include: [{ host: ["api.example.com"] }] } };
  });
  const token_sources = ['http.request.headers["authorization"][0]'];
  const configs = [{ id, token_sources, credentials: { keys: [jwk] }, ...config }];
  return { ...more, zones: [{ id: "z1", name: "example.com", token_validation: { configs, rules } }] };
}

describe("the profile", () => {
  const request = JSON.stringify({ url: "https://api.example.com/" });
  const action = async (...words: string[]) => {
    const { out } = await edgeproof(["eval", "--requests", "-", "--json", ...words], request);
    return JSON.parse(out)[0].verdict.action;
  };

  test("of eval is that of the option, else that of the file, else spec", async () => {
    const plain = await file("plain.json", worldOf());
    const provider = await file("provider.json", worldOf({ profile: "provider" }));
    expect(await action("--world", plain)).toBe("block");
    expect(await action("--world", provider)).toBe("log");
    expect(await action("--world", provider, "--profile", "spec")).toBe("block");
    expect(await action("--world", plain, "--profile", "provider")).toBe("log");
  });

  test("of check is that of the option, else that of the file", async () => {
    const provider = await file("provider.json", worldOf({ profile: "provider" }));
    const shadowed = async (...words: string[]) => (await edgeproof(["check", provider, ...words])).out;
    expect(await shadowed()).toContain("shadowed");
    expect(await shadowed("--profile", "spec")).not.toContain("shadowed");
  });

  test("of diff must be the same in both files, unless the option names one", async () => {
    const plain = await file("plain.json", worldOf());
    const provider = await file("provider.json", worldOf({ profile: "provider" }));
    const { code, err } = await edgeproof(["diff", plain, provider]);
    expect([code, err]).toEqual([2, expect.stringContaining("must have the same profile")]);
    expect((await edgeproof(["diff", plain, provider, "--profile", "spec"])).code).toBe(0);
    expect((await edgeproof(["diff", provider, provider])).code).toBe(0);
  });
});

test("members of responses are ignored with a note on standard error, by every command", async () => {
  const path = await file(
    "pasted.json",
    worldOf({}, { created_at: "2026-01-01T00:00:00Z", description: null }),
  );
  const at = "/zones/0/token_validation/configs/0";
  const notes = [
    `world: \`created_at\` is a member of responses and was ignored (at ${at}/created_at)\n`,
    `world: \`description\` is null, which counts as missing (at ${at}/description)\n`,
  ].join("");
  expect((await edgeproof(["check", path])).err).toBe(notes);
  expect((await edgeproof(["diff", path, path])).err).toBe(notes + notes);
  const request = JSON.stringify({ url: "https://api.example.com/" });
  expect((await edgeproof(["eval", "--world", path, "--requests", "-"], request)).err).toBe(notes);
});

test("a file with null is not a world", async () => {
  const world = await file("null.json", "null");
  expect((await edgeproof(["eval", "--world", world, "--requests", "-"], "[]")).err).toContain(
    "null.json:1:1: /: The world must be an object; found `null`.",
  );
});

describe("pictures by path", () => {
  test("are read relative to the world file; a path in metadata is left as it is", async () => {
    await mkdir(join(folder, "pictures"), { recursive: true });
    await writeFile(join(folder, "pictures", "a.png"), await png());
    const requests = await file("no-requests.json", []);
    const evaluated = (world: string) =>
      edgeproof(["eval", "--world", world, "--requests", requests, "--allow-empty"]);
    const images = [{ id: "one", image_path: "pictures/a.png", metadata: { image_path: "missing.png" } }];
    const world = await file("pictures.json", { accounts: [{ id: "a1", images: { images } }], zones: [] });
    expect((await evaluated(world)).code).toBe(0);
    const missing = { accounts: [{ id: "a1", images: { images: [{ image_path: "pictures/b.png" }] } }] };
    const { code, err } = await evaluated(await file("missing.json", missing));
    expect([code, err]).toEqual([1, expect.stringContaining("b.png: the file does not exist")]);
  });
});

describe("errors", () => {
  test("an unknown member has the nearest name and all allowed ones, with line and column", async () => {
    const world = await file("unknown.json", '{\n  "zones": [{ "id": "z", "token_validaton": {} }]\n}');
    const { code, err } = await edgeproof(["check", world]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        ":2:45: /zones/0/token_validaton: `token_validaton` is not a member of `zones.0`; did you mean `token_validation`? Its members are `id`, `name`, `account_id`, `plan`, `token_validation`, `rulesets`, `proxy`, `dns_records`, `settings`, `url_normalization`.",
      ),
    ]);
  });

  test.each([
    [{ keys: [{ kty: "RSA" }] }, "a set of keys; run `npx edgeproof world keys other.json`"],
    [{ log: { entries: [] } }, "an HTTP archive; run `npx edgeproof replay --world world.json other.json`"],
    [{ protocol: "tcp/22", dns: {} }, "a proxy application; run `npx edgeproof check other.json`"],
    [[{ url: "https://a.example" }], "a list that begins with a request; run `npx edgeproof eval"],
    [{ configs: [], rules: [] }, "the token validation of a zone; a world file has it at"],
  ])("a file of another kind is named: %j", async (value, message) => {
    const path = await file("other.json", value);
    for (const words of [
      ["diff", path, path],
      ["eval", "--world", path, "--requests", await file("none.json", [])],
    ]) {
      const { code, err } = await edgeproof(words);
      expect([code, err.replaceAll(`${folder}/`, "")]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

test("the command for a file of another kind has its name as a word of a shell", async () => {
  const path = await file("my $& keys.json", { keys: [] });
  const { err } = await edgeproof(["diff", path, path]);
  expect(err).toContain(`run \`npx edgeproof world keys '${path}'\``);
});

describe("the example examples/rules/zone.json", () => {
  const world = "examples/rules/zone.json";
  const request = JSON.stringify({ method: "POST", url: "https://api.shop.example/v1/orders" });

  test("is read by check, diff, eval and lint", async () => {
    expect((await edgeproof(["check", world])).code).toBe(0);
    expect((await edgeproof(["diff", world, world])).code).toBe(0);
    const { code, out } = await edgeproof(
      ["eval", "--world", world, "--requests", "-", "--expect", "block"],
      request,
    );
    expect([code, out]).toEqual([0, expect.stringContaining("Orders need a user")]);
    const app = { protocol: "tcp/22", dns: { type: "CNAME", name: "ssh.shop.example" } };
    const path = await file("ssh.json", { ...app, origin_direct: ["tcp://192.0.2.1:22"] });
    expect((await edgeproof(["lint", path, "--world", world])).code).toBe(0);
  });
});

test("serve reads the example and a YAML world", async () => {
  const yaml = await file("serve.yaml", "profile: provider\nzones: [{ id: z1 }]\n");
  for (const world of ["examples/rules/zone.json", yaml]) {
    const stop = new AbortController();
    const options = { signal: stop.signal, onOut: () => stop.abort() };
    const { code, out } = await edgeproof(["serve", "--world", world, "--port", "0"], "", options);
    expect([code, out]).toEqual([0, expect.stringContaining("edgeproof listens on")]);
  }
});

describe("the guide docs/world.md", async () => {
  const guide = await readFile("docs/world.md", "utf8");
  const blocks = [...guide.matchAll(/^```(json|yaml)\n([\s\S]*?)^```$/gm)].map(([, kind = "", text = ""]) => [
    `${kind} block at line ${guide.slice(0, guide.indexOf(text)).split("\n").length}`,
    kind,
    text,
  ]);

  test.each(blocks)("%s is a world that is applied as a whole", async (_place, kind, text) => {
    // As a reader has it who installed the package.
    await mkdir(join(folder, "node_modules/edgeproof"), { recursive: true });
    await cp("docs/pictures", join(folder, "node_modules/edgeproof/docs/pictures"), { recursive: true });
    const world = await file(`guide.${kind}`, text);
    expect(
      await edgeproof(["eval", "--world", world, "--requests", "-", "--allow-empty"], "[]"),
    ).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^(world: its input was incomplete: 1 part.*\n)?note nothing-evaluated/),
    });
  });

  test("has a world of each area", () => {
    for (const member of ["token_validation", "applications", "images", "brand", "api_tokens", "permissions"])
      expect(
        blocks.some(([, , text]) => text?.includes(member)),
        member,
      ).toBe(true);
  });
});
