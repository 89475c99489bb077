/** World files on the command line: their profile, what they may repeat of responses, pictures by path, and errors. */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
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
    const { out } = await edgeproof(["eval", "--request", "-", "--json", ...words], request);
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
  expect((await edgeproof(["eval", "--world", path, "--request", "-"], request)).err).toBe(notes);
});

test("a file with null is not a world", async () => {
  const world = await file("null.json", "null");
  expect((await edgeproof(["eval", "--world", world, "--request", "-"], "[]")).err).toContain(
    "line 1, column 1, /: The world must be an object; found `null`.",
  );
});

describe("pictures by path", () => {
  test("are read relative to the world file; a path in metadata is left as it is", async () => {
    await mkdir(join(folder, "pictures"), { recursive: true });
    await writeFile(join(folder, "pictures", "a.png"), await png());
    const app = await file("app.json", { protocol: "tcp/22" });
    const images = [{ id: "one", image_path: "pictures/a.png", metadata: { image_path: "missing.png" } }];
    const world = await file("pictures.json", { accounts: [{ id: "a1", images: { images } }], zones: [] });
    expect((await edgeproof(["lint", app, "--world", world])).err).toBe("");
    const missing = { accounts: [{ id: "a1", images: { images: [{ image_path: "pictures/b.png" }] } }] };
    const { code, err } = await edgeproof(["lint", app, "--world", await file("missing.json", missing)]);
    expect([code, err]).toEqual([2, expect.stringContaining("b.png: the file does not exist")]);
  });
});
