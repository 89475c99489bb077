/**
 * The start of a process that imports an entry or runs the executable, against the start of bare node: processor time
 * of the child, medians of interleaved rounds. Measures `dist`, which `npm run bench` builds.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Row, Rows } from "./harness.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Rounds; an odd number, so that one of them is the median. */
const rounds = 15;

/** Prints the processor time of the process, in microseconds, as its last line of standard error. */
const meter = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  require("node:fs").writeSync(2, "\\n" + (user + system));
});`;

interface Start {
  readonly what: string;
  readonly words: readonly string[];
  readonly atMost: number;
}

function importOf(entry: string): readonly string[] {
  return ["--input-type=module", "--eval", `import "${entry}";`];
}

const starts: readonly Start[] = [
  { what: "import edgeproof/tokens", words: importOf("edgeproof/tokens"), atMost: 2.5 },
  { what: "import edgeproof/testing/tokens", words: importOf("edgeproof/testing/tokens"), atMost: 4 },
  { what: "import edgeproof", words: importOf("edgeproof"), atMost: 6 },
  { what: "edgeproof --version", words: ["dist/cli/main.js", "--version"], atMost: 2 },
  { what: "edgeproof --help", words: ["dist/cli/main.js", "--help"], atMost: 2 },
  { what: "edgeproof serve --help", words: ["dist/cli/main.js", "serve", "--help"], atMost: 2 },
  { what: "edgeproof eval --wrld", words: ["dist/cli/main.js", "eval", "--wrld"], atMost: 2 },
];

const bare: readonly string[] = ["--eval", ""];

/** Measures the starts, with a meter that every process loads first, the bare one too. */
export async function* benchStartup(): Rows {
  const folder = mkdtempSync(join(tmpdir(), "edgeproof-startup-"));
  const preload = join(folder, "meter.cjs");
  writeFileSync(preload, meter);
  try {
    const all = [bare, ...starts.map(({ words }) => words)];
    const times = all.map((): number[] => []);
    for (let round = 0; round < rounds; round++)
      all.forEach((words, i) => {
        times[i]!.push(processorTime(preload, words));
      });
    const [peer = Number.NaN, ...ours] = times.map(median);
    yield* starts.map(({ what, atMost }, i): Row => {
      const time = ours[i] ?? Number.NaN;
      return { what: `start: ${what}`, ours: time, peer, ratio: time / peer, target: { atMost } };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Processor time of one process, in nanoseconds. */
function processorTime(preload: string, words: readonly string[]): number {
  const { status, stderr } = spawnSync(process.execPath, ["--require", preload, ...words], {
    cwd: root,
    encoding: "utf8",
  });
  const time = Number(stderr.slice(stderr.lastIndexOf("\n") + 1));
  // A usage error is a result too.
  if ((status !== 0 && status !== 2) || !(time > 0))
    throw new Error(`node ${words.join(" ")} failed: ${stderr}`);
  return time * 1_000;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
