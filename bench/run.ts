/**
 * `npm run bench -- [name...] [options]`: measures every area that does not take minutes, or those that are named, and prints rows as
 * they are measured; or runs the one program that is named, with its options. `--list` prints the names. Exit code 1 when a
 * target was missed, 2 for a name that does not exist; programs that are listed as without targets print figures only.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { areas, programs } from "./benches.ts";
import { cellsOf, heads, meets, printLine, processorMs, type Row } from "./harness.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const words = process.argv.slice(2);
const [first = ""] = words;

if (words.includes("--list")) printNames();
else if (Object.hasOwn(programs, first)) {
  prepare();
  process.exitCode = runProgram(first, words.slice(1));
} else await measureAreas();

function printNames(): void {
  const isLong = (name: string) => areas[name]?.isLong === true;
  const all = Object.entries({ ...areas, ...programs });
  for (const [name, { what }] of all.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const when = Object.hasOwn(programs, name) ? "alone" : isLong(name) ? "named" : "";
    const end = programs[name]?.withoutTargets ? "; without targets" : "";
    console.log(`${name.padEnd(18)}${when.padEnd(7)}${what}${end}`);
  }
}

/** Installs the peers and builds the package, or ends this process. */
function prepare(): void {
  const steps = [
    ["node", "scripts/install-packages.mjs", "bench/logos", "bench/peers", "scripts/wasm"],
    ["npm", "run", "--silent", "build"],
  ];
  for (const [command = "", ...args] of steps) {
    const { status } = spawnSync(command, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
    if (status !== 0) process.exit(status ?? 1);
  }
}

function runProgram(name: string, options: readonly string[]): number {
  const { file, ofSources } = programs[name]!;
  const tsconfig = `${root}tsconfig${ofSources ? "" : ".build"}.json`;
  const args = [`${root}node_modules/tsx/dist/cli.mjs`, "--tsconfig", tsconfig, "--expose-gc"];
  const { status } = spawnSync(process.execPath, [...args, `${root}bench/${file}`, ...options], {
    stdio: "inherit",
  });
  return status ?? 1;
}

async function measureAreas(): Promise<void> {
  const { values: options, positionals: named } = parseWords();
  const unknown = named.filter((name) => !Object.hasOwn(areas, name));
  if (unknown.length > 0) {
    const isProgram = unknown.some((name) => Object.hasOwn(programs, name));
    reject(`${unknown.join(", ")} ${isProgram ? "runs alone, with its name first" : "is no benchmark"}`);
  }
  prepare();
  const rows: Row[] = [];
  console.log(printLine(heads));
  for (const [name, area] of Object.entries(areas)) {
    if (named.length > 0 ? !named.includes(name) : area.isLong) continue;
    const start = performance.now();
    const startCpuMs = processorMs();
    for await (const row of await area.rows(options)) {
      rows.push(row);
      console.log(printLine(cellsOf(row)));
    }
    const [seconds, cpuSeconds] = [performance.now() - start, processorMs() - startCpuMs].map(inSeconds);
    console.error(`${name} took ${seconds} s, ${cpuSeconds} s of processor time`);
  }
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows, undefined, 2)}\n`);
  const missed = rows.filter((row) => !meets(row));
  if (missed.length === 0) return;
  console.log(`\n${missed.length} of ${rows.length} rows missed their target:`);
  for (const row of missed) console.log(printLine(cellsOf(row)));
  process.exitCode = 1;
}

function parseWords() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        names: { type: "string" },
        /** File for the rows, for `npm run bench -- compare`. */
        json: { type: "string" },
        /** More records in the stores. */
        large: { type: "boolean" },
      },
    });
  } catch (error) {
    return reject((error as Error).message.split(". ")[0] ?? "");
  }
}

function reject(problem: string): never {
  console.error(`${problem}; \`npm run bench -- --list\` prints the names`);
  process.exit(2);
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(0);
}
