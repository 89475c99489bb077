/** Tells the new look-alikes in a file of names. */
import { createReadStream, existsSync } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { compileQueries, type DomainQuery } from "edgeproof/brand";

/** A look-alike that was not known. */
export interface Alert {
  /** The normalized name: one spelling, whatever the file's is, so that it can be found among the known ones. */
  readonly name: string;
  readonly pattern: string;
  readonly technique: string;
  /** 0 to 1; higher is closer. */
  readonly score: number;
}

/** The findings of one run. */
export interface Report {
  /** Closest first. */
  readonly alerts: readonly Alert[];
  readonly names: number;
  readonly badLines: number;
}

/** Looks through names, one after the other; what is `known` is passed over. */
export async function monitor(
  queries: readonly DomainQuery[],
  names: AsyncIterable<string>,
  known: ReadonlySet<string>,
): Promise<Report> {
  const matcher = compileQueries(queries, { confusables: true, separators: true });
  const alerts = new Map<string, Alert>();
  let badLines = 0;
  let seen = 0;
  const scan = matcher.scan(names, {
    onInvalidName: () => {
      badLines++;
    },
    onProgress: (progress) => {
      seen = progress.names;
    },
  });
  for await (const { matches } of scan) {
    const [best] = matches.toSorted((a, b) => b.score - a.score);
    if (best === undefined || known.has(best.host)) continue;
    const { host: name, pattern, technique, score } = best;
    alerts.set(name, { name, pattern, technique, score });
  }
  return { alerts: [...alerts.values()].sort((a, b) => b.score - a.score), names: seen, badLines };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { known: { type: "string" } },
  });
  const [brands, names] = positionals;
  if (brands === undefined || names === undefined) {
    console.error("name the file of queries and the file of names: monitor.ts brands.json names.txt");
    process.exitCode = 2;
    return;
  }
  const queries = JSON.parse(await readFile(brands, "utf8")) as DomainQuery[];
  const { known: knownFile } = values;
  const known = knownFile && existsSync(knownFile) ? (await readFile(knownFile, "utf8")).split("\n") : [];
  const lines = createInterface({ input: createReadStream(names), crlfDelay: Number.POSITIVE_INFINITY });
  const report = await monitor(queries, lines, new Set(known));
  for (const { name, pattern, technique, score } of report.alerts)
    console.log(`${score.toFixed(2)}  ${name}  ${technique} of ${pattern}`);
  console.error(`${report.alerts.length} new in ${report.names} names, ${report.badLines} bad lines`);
  if (knownFile && report.alerts.length > 0)
    await appendFile(knownFile, `${report.alerts.map(({ name }) => name).join("\n")}\n`);
  process.exitCode = report.alerts.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main();
