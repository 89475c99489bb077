/**
 * Moves in the order of rules: by index (1 is the first place), before a rule, or after one (`spec`; the bounds
 * `observed` and `chosen`).
 */

import { type Note, noteCodes, type Problem, quote } from "../../../errors.ts";

/** Where a rule goes: exactly one of the three. */
export type Position = { readonly index: number } | { readonly before: string } | { readonly after: string };

/** The order after a move; the old one when there are problems. Pointers are relative to the position. */
export interface MovedOrder {
  readonly order: readonly string[];
  readonly problems: readonly Problem[];
  readonly notes: readonly Note[];
}

const members = ["index", "before", "after"] as const;

/** A position of the right shape, or what is wrong with it. */
type ReadPosition =
  | { readonly position: Position; readonly notes: readonly Note[] }
  | { readonly problem: Problem };

/** Checks the shape of a position. Pointers are relative to it. */
export function checkPosition(position: unknown): Problem[] {
  const read = readPosition(position);
  return "problem" in read ? [read.problem] : [];
}

/**
 * Moves a rule; the new order is a permutation of the old one.
 *
 * @example
 * ```ts
 * movePosition(["a", "b", "c"], "c", { index: 1 }).order; // => ["c", "a", "b"]
 * movePosition(["a", "b", "c"], "a", { after: "b" }).order; // => ["b", "a", "c"]
 * ```
 * @throws RangeError when `id` is not in the order
 */
export function movePosition(order: readonly string[], id: string, position: unknown): MovedOrder {
  if (!order.includes(id)) throw new RangeError(`The rule ${quote(id)} is not in the order.`);
  const read = readPosition(position);
  if ("problem" in read) return { order, problems: [read.problem], notes: [] };
  const others = order.filter((other) => other !== id);
  const place = indexAmong(others, id, read.position);
  if (typeof place !== "number") return { order, problems: [place], notes: [] };
  const moved = [...others.slice(0, place), id, ...others.slice(place)];
  return { order: moved, problems: [], notes: [...read.notes, ...ignoredMembers(position as object)] };
}

/** Most ignored members that a note names. */
const maxNamedMembers = 8;

function ignoredMembers(position: object): Note[] {
  const ignored = Object.keys(position).filter((member) => !members.some((known) => known === member));
  if (ignored.length === 0) return [];
  const more = ignored.length > maxNamedMembers ? ` and ${ignored.length - maxNamedMembers} more` : "";
  const named = ignored.slice(0, maxNamedMembers).map(quote).join(", ");
  const message = `A position has only index, before and after; ignored was ${named}${more}.`;
  return [{ code: noteCodes.memberIgnored, pointer: "", message }];
}

function readPosition(position: unknown): ReadPosition {
  const rule = "position has exactly one of index, before and after";
  if (typeof position !== "object" || position === null || Array.isArray(position)) {
    return refuse("", `${rule}, but it is ${quote(position)}.`);
  }
  const record = position as Record<string, unknown>;
  const given = members.filter((member) => Object.hasOwn(record, member) && record[member] !== undefined);
  const [member] = given;
  if (member === undefined) return refuse("", `${rule}, but it has none of them.`);
  if (given.length > 1) return refuse("", `${rule}, but it has ${given.join(" and ")}.`);
  const value = record[member];
  return member === "index" ? readIndex(value) : readNeighbor(member, value);
}

function readIndex(index: unknown): ReadPosition {
  if (typeof index !== "number" || !Number.isInteger(index) || index < 0) {
    const found = typeof index === "string" ? `the text ${quote(index)}` : quote(index);
    return refuse("/index", `index is an integer from 1, but it is ${found}.`);
  }
  if (index > 0) return { position: { index }, notes: [] };
  const message = "index 0 was taken as 1, the first place.";
  return { position: { index: 1 }, notes: [{ code: noteCodes.valueNoted, pointer: "/index", message }] };
}

function readNeighbor(member: "before" | "after", id: unknown): ReadPosition {
  if (typeof id !== "string" || id === "") {
    return refuse(`/${member}`, `${member} is the id of a rule, but it is ${quote(id)}.`);
  }
  return { position: member === "before" ? { before: id } : { after: id }, notes: [] };
}

/** The index among the other rules, or what is wrong. Beyond the end is last. */
function indexAmong(others: readonly string[], id: string, position: Position): number | Problem {
  if ("index" in position) return Math.min(position.index - 1, others.length);
  if ("before" in position) return indexBeside(others, id, "before", position.before);
  return indexBeside(others, id, "after", position.after);
}

function indexBeside(
  others: readonly string[],
  id: string,
  member: "before" | "after",
  neighbour: string,
): number | Problem {
  const found = others.indexOf(neighbour);
  if (found !== -1) return member === "before" ? found : found + 1;
  if (neighbour === id) return problem(`/${member}`, `A rule cannot go ${member} itself (${quote(id)}).`);
  return problem(`/${member}`, `There is no rule ${quote(neighbour)} to go ${member}.`);
}

function refuse(at: string, message: string): { readonly problem: Problem } {
  return { problem: problem(at, message) };
}

function problem(at: string, message: string): Problem {
  return { code: 10400, pointer: at, message };
}
