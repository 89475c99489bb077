/**
 * The answers of the interface, byte for byte: `fixtures/http/corpus.jsonl`, recorded in both profiles. After an intended
 * change, `EDGEPROOF_RECORD=1 npx vitest run --project process test/http/corpus.test.ts` records the answers again.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { endpoints } from "../../src/http/endpoints/endpoints.ts";
import { createPlayer, type Step } from "../support/corpus.ts";

const file = new URL("../../fixtures/http/corpus.jsonl", import.meta.url);
const recorded = readFileSync(file, "utf8").trimEnd().split("\n");
const played: string[] = [];
const answered = new Set<string | null>();

test("every recorded request has the same answer, byte for byte", async () => {
  const play = createPlayer(({ endpoint }) => answered.add(endpoint));
  for (const line of recorded) {
    const { answer: _, ...step } = JSON.parse(line) as Step & { answer?: unknown };
    const answer = await play(step);
    played.push(JSON.stringify({ ...step, answer }));
  }
  if (process.env["EDGEPROOF_RECORD"]) writeFileSync(file, `${played.join("\n")}\n`);
  else expect(played).toEqual(recorded);
});

test("at least 500 requests cover every endpoint", () => {
  expect(recorded.filter((line) => line.startsWith('{"send"')).length).toBeGreaterThanOrEqual(500);
  expect(endpoints.map(({ id }) => id).filter((id) => !answered.has(id))).toEqual([]);
});
