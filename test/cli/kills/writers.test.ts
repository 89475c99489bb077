/**
 * Every command that writes files is killed at its steps, and meets a full disk at them: each file has its earlier content
 * or its new one, whole, and the command can be repeated.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { bundled, bundledCli } from "../../support/bundled.ts";
import { png } from "../../support/images.ts";
import { runs } from "../../support/runs.ts";
import { worldWith } from "../project/folder.ts";
import { chosenSteps, countSteps, type FaultyRun, runFaulty } from "./faulty-process.ts";

/** Commands write files in one way, so that all steps are tried of one of them. */
const allSteps = "images render of a folder again";
/** Steps of each other command at which it is killed. */
const wantedKills = runs(5);
/** Steps of each other command from which the disk is full. */
const wantedFull = runs(4, 1);

type Files = Readonly<Record<string, string | Uint8Array>>;

interface Writer {
  readonly before: Files;
  readonly words: readonly string[];
  /** The command line interface by default. */
  readonly script?: string;
}

const colors = [10, 60, 110, 160, 210];
const pictures = Object.fromEntries(
  await Promise.all(colors.map(async (red) => [`in/${red}.png`, await png(red)] as const)),
);
const approved = Object.fromEntries(
  await Promise.all(colors.slice(1).map(async (red) => [`ok/${red}.png`, await png(red + 40)] as const)),
);
const application = JSON.stringify({
  protocol: "tcp/22",
  dns: { type: "CNAME", name: "ssh.example.com" },
  origin_direct: ["tcp://2001:db8::1:22"],
});
const resize = ["--width", "20"];

const writers: Readonly<Record<string, Writer>> = {
  "images render of a folder": { before: pictures, words: ["images", "render", "in", "out", ...resize] },
  "images render of a folder again": {
    before: { ...pictures, "out/10.png": "earlier", "out/210.png": "earlier" },
    words: ["images", "render", "in", "out", ...resize, "--html", "out.html"],
  },
  "images render of a file": {
    before: { ...pictures, "one.webp": "earlier" },
    words: ["images", "render", "in/10.png", "one.webp", ...resize],
  },
  "images render --check --update": {
    before: { ...pictures, ...approved },
    words: ["images", "render", "in", "out", ...resize, "--check", "ok", "--update"],
  },
  "the matcher of pictures": {
    before: { ...pictures, ...approved },
    script: bundled(join(process.cwd(), "test/support/faults/update-pictures.ts")),
    words: ["in", "ok"],
  },
  playground: { before: {}, words: ["playground", "--out", "site"] },
  "playground --replace": {
    before: { "site/index.html": "earlier" },
    words: ["playground", "--out", "site", "--replace"],
  },
  init: { before: { "edge.json": JSON.stringify(worldWith()) }, words: ["init"] },
  "check --fix": {
    before: { "app.json": application },
    words: ["check", "--only", "proxy", "app.json", "--fix"],
  },
  "check with reports": {
    before: { "edge.json": JSON.stringify(worldWith()), "report.sarif": "earlier" },
    words: ["check", "edge.json", "--format", "sarif=report.sarif", "--format", "junit=report.xml"],
  },
  "suite generate": {
    before: { "edge.json": JSON.stringify(worldWith()), "suite.json": "earlier" },
    words: [
      ...["suite", "generate", "--world", "edge.json", "--format", "json", "--now", "2026-01-01T00:00:00Z"],
      ...["--out", "suite.json"],
    ],
  },
  "store export": {
    before: { "export.jsonl.gz": "earlier" },
    words: ["store", "export", "--data", "data/edge.db", "export.jsonl.gz"],
  },
};

const shared = await mkdtemp(join(tmpdir(), "edgeproof-"));
await mkdir(join(shared, "page"));
await writeFile(join(shared, "page/index.html"), `<!doctype html>${"page ".repeat(20_000)}`);
await mkdir(join(shared, "data"));
await (await openSqliteStore({ path: join(shared, "data/edge.db") })).close();

/** A closed store is its file alone; its empty log goes when the last statement is collected. */
const isLog = (path: string) => /-(?:wal|shm)$/.test(path);

/** A folder with the files of a writer. */
async function folderOf(files: Files): Promise<string> {
  const folder = await mkdtemp(join(shared, "run-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  await cp(join(shared, "data"), join(folder, "data"), { recursive: true, filter: (path) => !isLog(path) });
  return folder;
}

function runIn(cwd: string, { words, script = bundledCli() }: Writer): FaultyRun {
  return { cwd, script, words, env: { EDGEPROOF_PLAYGROUND: join(shared, "page") } };
}

const isTemporary = (name: string) => name.endsWith(".partial");

/** The content of each file, without those of the store. */
async function contentsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  const found = paths
    .map((path) => path.slice(folder.length + 1))
    .filter((name) => !name.startsWith("data/"));
  const read = async (name: string) => [name, await readFile(join(folder, name), "base64")] as const;
  return new Map(await Promise.all(found.sort().map(read)));
}

/** Files that have neither their earlier content nor their new one. */
function partOf(
  found: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const lost = [...before.keys()].filter((name) => !found.has(name));
  const wrong = [...found].filter(
    ([name, content]) => !isTemporary(name) && content !== before.get(name) && content !== after.get(name),
  );
  return [...lost, ...wrong.map(([name]) => name)];
}

describe.each(Object.entries(writers))("%s", (name, writer) => {
  const wanted = (few: number) => (name === allSteps ? runs(200, few) : few);
  let started: ReturnType<typeof runOnce> | undefined;
  const uninterrupted = () => {
    started ??= runOnce();
    return started;
  };

  /** The contents before and after an uninterrupted run, and its number of steps. */
  async function runOnce() {
    const folder = await folderOf(writer.before);
    const before = await contentsOf(folder);
    const steps = await countSteps(runIn(folder, writer));
    const after = await contentsOf(folder);
    expect([...after].filter(([name, content]) => before.get(name) !== content).length).toBeGreaterThan(0);
    expect([...after.keys()].filter(isTemporary)).toEqual([]);
    return { before, steps, after };
  }

  test("leaves whole files when it is killed, and ends with the same files when it is repeated", async () => {
    const { before, steps, after } = await uninterrupted();
    for (const step of chosenSteps(steps, wanted(wantedKills))) {
      const folder = await folderOf(writer.before);
      expect((await runFaulty(runIn(folder, writer), `kill:${step}`)).end).toBe("SIGKILL");
      const killed = await contentsOf(folder);
      expect([step, partOf(killed, before, after)]).toEqual([step, []]);
      const isDone = [...after].every(([name, content]) => killed.get(name) === content);
      const again = await runFaulty(runIn(folder, writer), "none");
      // A command that writes only new files rejects a repeat when they exist.
      if (again.end !== 0)
        expect([step, isDone, again]).toEqual([step, true, expect.objectContaining({ end: 2 })]);
      const repeated = await contentsOf(folder);
      if (!isDone) expect([step, repeated]).toEqual([step, after]);
    }
  });

  test("keeps its earlier files and no temporary one when the disk is full", async () => {
    const { before, steps, after } = await uninterrupted();
    let failed = 0;
    for (const step of chosenSteps(steps, wanted(wantedFull))) {
      const folder = await folderOf(writer.before);
      const { end, err } = await runFaulty(runIn(folder, writer), `full:${step}`);
      const found = await contentsOf(folder);
      expect([step, partOf(found, before, after)]).toEqual([step, []]);
      expect([...found.keys()].filter(isTemporary)).toEqual([]);
      if (end === 0) continue;
      failed += 1;
      expect(err).toMatch(/cannot write \S+: the disk is full/);
    }
    expect(failed).toBeGreaterThan(0);
  });
});
