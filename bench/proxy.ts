/**
 * Validations of proxy applications over the whole table of triggers and near misses: good and bad bodies, all codes,
 * each against its facts, which are compiled beforehand. The peers see the same bodies and check the shape alone.
 */
import { pathToFileURL } from "node:url";
import { compileFacts } from "../src/engine/proxy/facts/compile-facts.ts";
import type { CompiledFacts, Facts } from "../src/engine/proxy/facts/facts.ts";
import { validateCompiled } from "../src/engine/proxy/validate.ts";
import { rows as table } from "../test/engine/proxy/bodies.ts";
import { type Contest, measureAll, printRows, type Row } from "./harness.ts";
import { appSchema, hasShape } from "./proxy-schema.ts";

/** One compiled world for all rows that have the same facts, as a user would hold them. */
const worlds = new Map(table.map(({ facts }) => [JSON.stringify(facts), compileFacts(facts)] as const));
const worldOf = (facts: Facts) => worlds.get(JSON.stringify(facts)) as CompiledFacts;

const cases = table.map(({ body, facts, options }) => ({ body, facts: worldOf(facts), options }));
const good = cases.filter(({ body, facts, options }) => validateCompiled(body, facts, options).app);
const bad = cases.filter((one) => !good.includes(one));

function validateAll(list: typeof cases): number {
  let violations = 0;
  for (const { body, facts, options } of list)
    violations += validateCompiled(body, facts, options).violations.length;
  return violations;
}

function parseAll(list: typeof cases): number {
  let accepted = 0;
  for (const { body } of list) if (appSchema.safeParse(body).success) accepted++;
  return accepted;
}

function shapeAll(list: typeof cases): number {
  let accepted = 0;
  for (const { body } of list) if (hasShape(body)) accepted++;
  return accepted;
}

function contest(what: string, list: typeof cases, peer: () => unknown, target: Contest["target"]): Contest {
  const count = list.length;
  return {
    what,
    ours: () => validateAll(list),
    peer,
    oursOps: count,
    peerOps: count,
    target: target ?? "report",
  };
}

/** Nanoseconds a validation, ours and the peers'. */
export async function benchProxy(): Promise<Row[]> {
  const distinct = new Set(table.map(({ body }) => JSON.stringify(body))).size;
  const mix = `proxy: validate, ${distinct} distinct bodies`;
  return measureAll([
    contest(`${mix}, all codes, against zod for the shape`, cases, () => parseAll(cases), { atLeast: 0.15 }),
    contest(`proxy: ${good.length} good bodies, against zod`, good, () => parseAll(good), "report"),
    contest(`proxy: ${bad.length} bad bodies, against zod`, bad, () => parseAll(bad), "report"),
    contest(`${mix}, against a hand-written shape check`, cases, () => shapeAll(cases), "report"),
  ]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const rows = await benchProxy();
  console.log(printRows(rows));
  console.log(`${Math.round(1e9 / (rows[0] as Row).ours).toLocaleString("en")} validations a second`);
}
