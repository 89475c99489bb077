/** `edgeproof store observe`: names and pictures into a store, for several accounts, again, and with every wrong input. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { openSqliteStore } from "../../src/store/sql/sqlite.ts";
import { drawPng } from "../../src/testing/pictures/drawing.ts";
import { drawings } from "../engine/logo/drawings.ts";
import { edgeproof } from "../support/cli.ts";

/** The roles of the pictures that were decoded. */
const decoded = vi.hoisted((): string[] => []);
vi.mock("../../src/engine/logo/decode/decode.ts", async (original) => {
  const module = await original<typeof import("../../src/engine/logo/decode/decode.ts")>();
  const decodeLogo: typeof module.decodeLogo = (bytes, role, limits) => {
    decoded.push(role);
    return module.decodeLogo(bytes, role, limits);
  };
  return { ...module, decodeLogo };
});

let folder: string;
const at = (name: string) => join(folder, name);
const wing = drawPng(drawings["wing"]!, { side: 48 });
const string_matches = [{ pattern: "paypal", max_edit_distance: 1 }];
const image_data = Buffer.from(wing).toString("base64");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  const edge = createEdge({
    store: await openSqliteStore({ path: at("edge.db") }),
    world: { accounts: [{ id: "a1" }, { id: "a2" }] },
  });
  await edge.brand.queries.create("a1", { tag: "t", string_matches });
  await edge.brand.logos.queries.create("a2", { tag: "l", similarity_threshold: 0.9, image_data });
  await edge.close();
  await writeFile(at("names.txt"), "paypa1.example\nother.example\n\nnot a name\nPAYPA1.example\n");
  await mkdir(at("shots/deep"), { recursive: true });
  await writeFile(at("shots/a.png"), wing);
  await writeFile(at("shots/a.png.json"), '{"domain":"phish.example","message":"an unknown member"}');
  await writeFile(at("shots/deep/b.png"), wing.subarray(0, 60));
  await writeFile(at("shots/c.png"), wing);
  await writeFile(at("shots/c.png.json"), "[]");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const observe = (...words: readonly string[]) =>
  edgeproof(["store", "observe", "--data", at("edge.db"), ...words]);

test("names are stored and matched once for each account", async () => {
  const first = await observe("--account", "a1,a2", at("names.txt"));
  expect(first.code).toBe(1);
  expect(first.err).toBe(
    [
      "a1: 2 new, 1 duplicate, 1 rejected, 1 new match",
      "1 problem:",
      `  ${at("names.txt")} 4: A host name cannot contain \` \`; found \`not a name\`.`,
      "a2: 2 new, 1 duplicate, 1 rejected, 0 new matches",
      "1 problem:",
      `  ${at("names.txt")} 4: A host name cannot contain \` \`; found \`not a name\`.`,
      "",
    ].join("\n"),
  );
  const again = await edgeproof(
    ["store", "observe", "--data", at("edge.db"), "--account", "a1", "-"],
    "other.example",
  );
  expect(again).toMatchObject({ code: 0, err: "a1: 0 new, 1 duplicate, 0 rejected, 0 new matches\n" });
});

test("pictures of a folder are stored with the facts beside them and searched for logos", async () => {
  const { code, out } = await observe("--account", "a2", "--json", at("shots"));
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject([
    {
      account: "a2",
      new: 1,
      duplicate: 0,
      rejected: 2,
      matches: 1,
      problems: [
        { file: at("shots/c.png"), line: 1, message: `${at("shots/c.png.json")} must be a JSON object.` },
        { file: at("shots/deep/b.png"), line: 1 },
      ],
    },
  ]);
});

test("a picture for two accounts is described once", async () => {
  const before = decoded.filter((role) => role === "scan").length;
  await mkdir(at("pair"));
  await writeFile(at("pair/d.png"), drawPng(drawings["stairs"]!, { side: 48 }));
  const { code, out } = await observe("--account", "a1,a2", "--json", at("pair"), at("shots/c.png"));
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject([
    { account: "a1", new: 1, rejected: 1 },
    { account: "a2", new: 1, rejected: 1 },
  ]);
  expect(decoded.filter((role) => role === "scan")).toHaveLength(before + 1);
});

test.each([
  ["an unknown account", ["--account", "a3", "names.txt"], "There is no account `a3`."],
  ["a malformed account", ["--account", "a1,", "names.txt"], "--account must be 1 to 64 letters"],
  ["no account", ["names.txt"], "--account is missing"],
  ["no input", ["--account", "a1"], "expected files or folders"],
  ["a missing file", ["--account", "a1", "nowhere.txt"], "the file does not exist"],
  ["standard input for two accounts", ["--account", "a1,a2", "-"], "can be read only once"],
])("%s is a usage error", async (_, words, message) => {
  const { code, err } = await observe(...words.map((word) => (/\.txt$/.test(word) ? at(word) : word)));
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test("a store that does not exist is not created", async () => {
  const words = ["store", "observe", "--data", at("none.db"), "--account", "a1", at("names.txt")];
  expect(await edgeproof(words)).toMatchObject({ code: 2, err: expect.stringContaining("does not exist") });
});

test("a folder without pictures is nothing-evaluated", async () => {
  await mkdir(at("empty"));
  const { code, err } = await observe("--account", "a1", at("empty"));
  expect([code, err]).toEqual([1, expect.stringContaining(`${at("empty")}:1:1: error nothing-evaluated`)]);
  expect((await observe("--account", "a1", at("empty"), "--allow-empty")).code).toBe(0);
});
