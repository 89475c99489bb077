/**
 * Moves in the order of rules: to an index (1 is the first position), before a rule, or after one (`spec`; the bounds
 * `observed` and `chosen`).
 */

import { arrayOf, aString, requireArguments } from "../../../core/arguments.ts";
import type { Diagnostic } from "../../../core/diagnostic.ts";
import { isJsonObject, type JsonObject } from "../../../core/json-value.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { type CodedDiagnostic, note, quote } from "../../../errors.ts";
import { inputProblem, invalidValue, nameSome } from "../input-problem.ts";

/** The new position of a rule: an index, from 1, or the id of the rule that it goes before or after. */
export type Position =
  | {
      /** The position from 1; beyond the end means last. */
      readonly index: number;
    }
  | {
      /** The id of the rule that follows. */
      readonly before: string;
    }
  | {
      /** The id of the rule that precedes. */
      readonly after: string;
    };

/** The order after a move. */
export interface MovedOrder {
  /** The ids of all rules; a permutation of the order before. */
  readonly order: readonly string[];
  /** Remarks on the position; pointers are relative to it. */
  readonly notes: readonly Diagnostic[];
}

const members = ["index", "before", "after"] as const;

/** A position as it was read. */
export interface ReadPosition {
  readonly position: Position;
  /** Remarks on the position; pointers are relative to it. */
  readonly notes: readonly Diagnostic[];
}

/** Checks the format of a position. Pointers are relative to it; empty when there is no problem. */
export function checkPosition(position: unknown): readonly CodedDiagnostic[] {
  const read = readPosition(position);
  return read.ok ? [] : read.problems;
}

/**
 * Moves a rule. A failure has the problems of the position, with pointers relative to it.
 *
 * @example
 * ```ts
 * movePosition(["a", "b", "c"], "c", { index: 1 });
 * // => { ok: true, value: { order: ["c", "a", "b"], notes: [] } }
 * const moved = movePosition(["a", "b", "c"], "a", { after: "b" });
 * moved.ok && moved.value.order; // => ["b", "a", "c"]
 * ```
 * @throws RangeError when `id` is not in the order
 */
export function movePosition(order: readonly string[], id: string, position: unknown): Result<MovedOrder> {
  requireArguments({ order: [order, arrayOf(aString)], id: [id, aString] });
  if (!order.includes(id)) throw new RangeError(`The rule ${quote(id)} is not in the order.`);
  const read = readPosition(position);
  if (!read.ok) return read;
  const others = order.filter((other) => other !== id);
  const index = indexAmong(others, id, read.value.position);
  if (!index.ok) return index;
  const moved = [...others.slice(0, index.value), id, ...others.slice(index.value)];
  return success({ order: moved, notes: read.value.notes });
}

/** Maximum number of ignored members that a note names. */
const maxNamedMembers = 8;

/** Reads a position. A failure has its problems, with pointers relative to it. */
export function readPosition(position: unknown): Result<ReadPosition> {
  if (!isJsonObject(position)) {
    return failure(invalidValue("", "`position`", "an object with `index`, `before` or `after`", position));
  }
  const given = members.filter((member) => Object.hasOwn(position, member) && position[member] !== undefined);
  const [member] = given;
  if (member === undefined || given.length > 1) {
    const found = given.map((name) => `\`${name}\``).join(" and ") || "none of them";
    const message = `\`position\` must have exactly one of \`index\`, \`before\` and \`after\`; it has ${found}.`;
    return failure(inputProblem("", message));
  }
  const value = position[member];
  const read = member === "index" ? readIndex(value) : readNeighbor(member, value);
  if (!read.ok) return read;
  return success({ ...read.value, notes: [...read.value.notes, ...ignoredMembers(position)] });
}

function ignoredMembers(position: JsonObject): Diagnostic[] {
  const ignored = Object.keys(position).filter((member) => !members.some((known) => known === member));
  if (ignored.length === 0) return [];
  const named = nameSome(ignored, maxNamedMembers);
  const message = `A position has only \`index\`, \`before\` and \`after\`; ${named} was ignored.`;
  return [note("memberIgnored", message, "")];
}

function readIndex(index: unknown): Result<ReadPosition> {
  if (typeof index !== "number" || !Number.isInteger(index) || index < 0) {
    return failure(invalidValue("/index", "`index`", "an integer from 1", index));
  }
  if (index > 0) return success({ position: { index }, notes: [] });
  const message = "`index` 0 was read as 1, the first position.";
  return success({ position: { index: 1 }, notes: [note("valueNoted", message, "/index")] });
}

function readNeighbor(member: "before" | "after", id: unknown): Result<ReadPosition> {
  if (typeof id !== "string" || id === "") {
    return failure(invalidValue(`/${member}`, `\`${member}\``, "the id of a rule", id));
  }
  return success({ position: member === "before" ? { before: id } : { after: id }, notes: [] });
}

/** The index among the other rules; beyond the end is last. */
function indexAmong(others: readonly string[], id: string, position: Position): Result<number> {
  if ("index" in position) return success(Math.min(position.index - 1, others.length));
  if ("before" in position) return indexBeside(others, id, "before", position.before);
  return indexBeside(others, id, "after", position.after);
}

function indexBeside(
  others: readonly string[],
  id: string,
  member: "before" | "after",
  neighbor: string,
): Result<number> {
  const index = others.indexOf(neighbor);
  if (index !== -1) return success(member === "before" ? index : index + 1);
  return failure(wrongNeighbor(id, member, neighbor));
}

/** The problem of a move before or after a rule that is the moved one, or that there is not. */
export function wrongNeighbor(id: string, member: "before" | "after", neighbor: string): CodedDiagnostic {
  const message =
    neighbor === id
      ? `A rule cannot be moved ${member} itself (${quote(id)}).`
      : `There is no rule ${quote(neighbor)} to move this rule ${member}.`;
  return inputProblem(`/${member}`, message);
}
