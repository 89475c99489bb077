/** The rules of the playground: the text of a world, or of the rules of one zone, read without a store. */
import type { Diagnostic, Placed } from "../../core/diagnostic.ts";
import { isJsonObject } from "../../core/json-value.ts";
import type { Profile } from "../../core/profiles.ts";
import { counted } from "../../errors.ts";
import type { Undecided } from "../../import/undecided.ts";
import type { StoredZoneInput } from "../../service/tokens/evaluation.ts";
import { readWorldZones } from "../../service/world/rulesets/world-zones.ts";
import type { RulesMark } from "../playground-messages.ts";
import { isPlainZone, wrapZone } from "./plain-zone.ts";
import { readText, type TextSource } from "./read-text.ts";

/** Rules that were read. */
export interface ReadRules {
  /** Name of the format of the text. */
  readonly format: string;
  /** That of the world; `spec` without one. */
  readonly profile: Profile;
  /** The zones with rules, in the order of the text; their rules may be invalid. */
  readonly zones: readonly PlaygroundZone[];
  /** Problems of the text besides those of rules; pointers are those of the text. */
  readonly problems: readonly RulesMark[];
  /** Line of a pointer in the text, from 1. */
  readonly lineOf: (pointer: string) => number | undefined;
  /** Parts that the text does not decide. */
  readonly undecided: readonly Undecided[];
}

/** A zone of a text. */
export interface PlaygroundZone {
  readonly id: string;
  readonly name: string;
  readonly input: StoredZoneInput;
  /** The pointer in the text of one into the input. */
  readonly pointerOf: (within: string) => string;
}

/** Reads a text. Never throws, whatever the text has. */
export function readRules(text: string): ReadRules {
  const source = readText(text);
  if (!source.ok) {
    const [{ message, at }] = source.problems;
    const problems = [{ ...fault(`${message}.`), pointer: "", line: at.start.line }];
    return { format: "", profile: "spec", zones: [], problems, lineOf: () => at.start.line, undecided: [] };
  }
  return readSource(source.value);
}

function readSource({ format, value, lineOf, undecided, invalid, dropped }: TextSource): ReadRules {
  const read = (problems: readonly Diagnostic[]): ReadRules => {
    return { format, profile: "spec", zones: [], problems, lineOf, undecided };
  };
  if (!isJsonObject(value))
    return read([fault("The text must be an object: a world with `zones`, or `configs` and `rules`.")]);
  if (!isPlainZone(value) && !Object.hasOwn(value, "zones"))
    return read([fault("The object must have `zones`, or `configs` and `rules`.")]);
  const plain = isPlainZone(value) ? wrapZone(value) : undefined;
  const pointerOf = plain?.pointerOf ?? ((at: string) => at);
  const inText = (diagnostic: Diagnostic): Diagnostic => ({
    ...diagnostic,
    pointer: pointerOf(diagnostic.pointer ?? ""),
  });
  const found = readWorldZones(plain?.world ?? value);
  if (!found.ok) return read(found.problems.map(inText));
  const { world, zones, problems, notes } = found.value;
  const known = zones.map(({ id, name = id, input, pointerOf: inWorld }): PlaygroundZone => {
    return {
      id,
      name,
      // The engine checks the input; what only stored records have is not read.
      input: { ...input, ...plain?.tokens } as StoredZoneInput,
      pointerOf: (within) => pointerOf(inWorld(within)),
    };
  });
  return {
    format,
    profile: world.profile ?? "spec",
    zones: known,
    problems: [
      ...problems.map(inText),
      ...(known.length === 0 && problems.length === 0 ? [noRules(world.zones?.length ?? 0)] : []),
      ...invalid.map((finding) => ofText(finding, "error")),
      ...undecided.map((part) => ofText(part, "warning")),
      ...dropped.map((finding) => ofText(finding, "note")),
      ...notes.map((note): Diagnostic => ({ rule: "world", level: "note", message: `The world: ${note}.` })),
    ],
    lineOf,
    undecided,
  };
}

/** A part that the text does not decide, or that a world does not have. */
function ofText({ rule, message, at }: Placed, level: Diagnostic["level"]): RulesMark {
  return { rule, level, message, line: at.start.line };
}

function noRules(zones: number): Diagnostic {
  return fault(
    `The world must have a zone with \`token_validation\` or \`rulesets\`; found none in ${counted(zones, "zone")}.`,
  );
}

function fault(message: string): Diagnostic {
  return { rule: "rules", level: "error", message };
}
