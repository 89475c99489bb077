/** The accepted findings of a configuration file. */

import { isJsonObject } from "../../core/json-value.ts";
import { didYouMean } from "../../core/suggest.ts";
import { runCommand } from "../../core/text/run-command.ts";
import { pointer, quote } from "../../errors.ts";
import { isDate } from "../input/accepted/dates.ts";
import { findingId } from "../output/report/acceptance/finding-ids.ts";
import type { AcceptedId } from "./project.ts";
import type { Reading } from "./reading.ts";

/** The members of an acceptance, with what each must be. */
export const acceptedMembers = {
  id: `the id of a finding, such as \`0123456789abcdef:1\`; \`${runCommand} check\` prints it`,
  reason: "a text that says why",
  until: "a day in UTC such as `2026-12-31`, the last one on which it is valid",
} as const;

type Member = keyof typeof acceptedMembers;

const names = Object.keys(acceptedMembers) as Member[];

const isValid: Readonly<Record<Member, (value: unknown) => boolean>> = {
  id: (value) => typeof value === "string" && findingId.test(value),
  reason: (value) => typeof value === "string" && value.trim() !== "",
  until: (value) => value === undefined || (typeof value === "string" && isDate(value)),
};

/** The acceptances of the list at `accepted`. */
export function readAccepted(value: unknown, reading: Reading): readonly AcceptedId[] {
  const { fault, place } = reading;
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    fault("/accepted", "it must be a list of objects with `id`, `reason` and maybe `until`");
    return [];
  }
  const ids = new Set<string>();
  return value.flatMap((entry: unknown, i): AcceptedId[] => {
    const at = pointer("accepted", i);
    const read = readOne(entry, at, reading);
    if (!read) return [];
    if (ids.has(read.id)) fault(at, `the finding \`${read.id}\` is accepted twice`);
    ids.add(read.id);
    return [{ ...read, at: place(at) }];
  });
}

function readOne(value: unknown, at: string, { fault }: Reading): Omit<AcceptedId, "at"> | undefined {
  if (!isJsonObject(value)) return fault(at, "it must be an object with `id`, `reason` and maybe `until`");
  const unknown = Object.keys(value).filter((name) => !names.some((known) => known === name));
  for (const name of unknown)
    fault(
      at + pointer(name),
      `${quote(name)} is not a member of an acceptance${didYouMean(name, names) || "."}`,
    );
  const wrong = names.filter((name) => !isValid[name](value[name]));
  for (const name of wrong) {
    const found = value[name] === undefined ? "it is missing" : `found ${quote(value[name])}`;
    fault(at + pointer(name), `it must be ${acceptedMembers[name]}; ${found}`);
  }
  if (unknown.length + wrong.length > 0) return undefined;
  const { id, reason, until } = value as unknown as Omit<AcceptedId, "at">;
  return { id, reason, ...(until !== undefined && { until }) };
}
