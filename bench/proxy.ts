/**
 * Validations of all proxy applications in the table of triggers and near misses: good and bad bodies of all codes, each
 * with its facts, which are compiled beforehand. The peers get the same bodies and check only the format.
 */
import { compileFacts } from "../src/engine/proxy/facts/compile-facts.ts";
import type { CompiledFacts, Facts } from "../src/engine/proxy/facts/facts.ts";
import { validateCompiled } from "../src/engine/proxy/validate.ts";
import { rows as table } from "../test/engine/proxy/bodies.ts";
import { type Contest, measureAll, type Rows } from "./harness.ts";
import { appSchema, hasFormat } from "./proxy-schema.ts";

/** The compiled facts of each row; rows with the same facts share them, as in an application. */
const worlds = new Map(table.map(({ facts }) => [JSON.stringify(facts), compileFacts(facts)] as const));
const worldOf = (facts: Facts) => worlds.get(JSON.stringify(facts)) as CompiledFacts;

const cases = table.map(({ body, facts, options }) => ({ body, facts: worldOf(facts), options }));
const good = cases.filter(({ body, facts, options }) => validateCompiled(body, facts, options).app);
const bad = cases.filter((sample) => !good.includes(sample));

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

function formatAll(list: typeof cases): number {
  let accepted = 0;
  for (const { body } of list) if (hasFormat(body)) accepted++;
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

/** Nanoseconds per validation, ours and the peers'. */
export async function* benchProxy(): Rows {
  const distinct = new Set(table.map(({ body }) => JSON.stringify(body))).size;
  const mix = `proxy: validate, ${distinct} distinct bodies`;
  yield* measureAll([
    contest(`${mix}, all codes, compared with zod for the format`, cases, () => parseAll(cases), {
      atLeast: 0.15,
    }),
    contest(`proxy: ${good.length} good bodies, compared with zod`, good, () => parseAll(good), "report"),
    contest(`proxy: ${bad.length} bad bodies, compared with zod`, bad, () => parseAll(bad), "report"),
    contest(`${mix}, compared with a hand-written format check`, cases, () => formatAll(cases), "report"),
  ]);
}
