/** The part of a simulator that the screen Requests needs, over the text of the playground: nothing is stored. */

import { loadPatternEngine } from "#pattern-engine";
import { readUrl } from "../../core/idna/url.ts";
import { checkZone, compileZone } from "../../engine/tokens/zone/zone.ts";
import { quote } from "../../errors.ts";
import { couldChange } from "../../import/world/could-change.ts";
import { zoneDefaults } from "../../service/tokens/compile-zone.ts";
import { checkDraft, draftRuleId, withDraft } from "../../service/tokens/drafts/check-draft.ts";
import { withCustomDraft } from "../../service/tokens/rulesets/custom-drafts.ts";
import type { TokenEdge } from "../data/data-sources.ts";
import { RequestFault } from "../guard/request-fault.ts";
import { moveRule, placeOfRule, removeRule, saveCustomRule, saveRule } from "./change-text.ts";
import { type PlaygroundZone, type ReadRules, readRules } from "./read-rules.ts";
import { editableFormat } from "./read-text.ts";

/** A zone without problems. */
export type ValidZone = PlaygroundZone & Pick<ReadRules, "profile" | "format" | "undecided">;

/** The last text, which several questions in a row are about. */
let last: { readonly text: string; readonly rules: ReadRules } | undefined;

/** The rules of a text, with the engine of regular expressions loaded. */
export async function loadRules(text: string): Promise<ReadRules> {
  await loadPatternEngine();
  if (last?.text !== text) last = { text, rules: readRules(text) };
  return last.rules;
}

/** A zone of a text. @throws {RequestFault} with the first problem of the text or of the zone */
export async function requireZone(text: string, id: string): Promise<ValidZone> {
  return validZone(await loadRules(text), id);
}

/** A zone of rules. @throws {RequestFault} with the first problem of the rules or of the zone */
export function validZone(read: ReadRules, id: string): ValidZone {
  const { zones, profile, format, problems, lineOf } = read;
  const zone = zones.find((candidate) => candidate.id === id);
  const own = zone ? checkZone(zone.input, zoneDefaults(profile)) : [];
  const [first] = [
    ...problems.filter(({ level }) => level === "error"),
    ...own.map((diagnostic) => ({ ...diagnostic, pointer: zone?.pointerOf(diagnostic.pointer ?? "") ?? "" })),
  ];
  const line = first && (("line" in first ? first.line : undefined) ?? lineOf(first.pointer ?? ""));
  const place = line === undefined ? "" : `Line ${line} of the rules: `;
  if (first) throw new RequestFault(400, place + first.message);
  if (zone) return { ...zone, profile, format, undecided: read.undecided };
  const known = zones.map((other) => quote(other.id)).join(", ");
  throw new RequestFault(404, `The rules have no zone ${quote(id)}; the zones with rules are ${known}.`);
}

/** A simulator over a text. */
export interface RulesEdge extends TokenEdge {
  readonly text: string;
  /** Receives how many parts of a long work are done. */
  readonly onProgress: (done: number, all: number) => void;
  /** Changes the text. @throws {RequestFault} when the zone is not valid, before or after it */
  readonly change: (zone: string, change: (zone: ValidZone) => string) => Promise<ValidZone>;
}

/** Creates the simulator. `saved` is called with the changed text when a rule is edited. */
export function rulesEdge(
  text: string,
  saved: (text: string) => void,
  onProgress: RulesEdge["onProgress"] = () => {},
): RulesEdge {
  const save = async (id: string, change: (zone: ValidZone) => string) => {
    const before = await requireZone(text, id);
    if (before.format !== editableFormat)
      throw new RequestFault(
        400,
        `The text is not JSON (${before.format}), so nothing is saved into it; replace it by the world in JSON first.`,
      );
    const next = change(before);
    const zone = await requireZone(next, id);
    saved(next);
    return zone;
  };
  const optionsOf = ({ profile }: ValidZone) => ({ ...zoneDefaults(profile), clock: Date.now });
  return {
    text,
    onProgress,
    change: save,
    unknownParts: async (id, url, operation) => {
      const { undecided } = await loadRules(text);
      const request = {
        zone: id,
        host: readUrl(url)?.hostname ?? "",
        ...(operation !== undefined && { operation }),
      };
      return couldChange(undecided, request).map(({ message }) => `${message.replace(/\.$/, "")}.`);
    },
    tokens: {
      evaluate: async (id, request) => {
        const zone = await requireZone(text, id);
        return (await compileZone(zone.input, optionsOf(zone))).evaluate(request);
      },
      drafts: {
        read: (id) => requireZone(text, id),
        now: () => Date.now(),
        check: async (id, draft, request) => {
          const zone = await requireZone(text, id);
          const now = new Date().toISOString();
          const changed =
            "rulesetId" in draft
              ? withCustomDraft(zone.input, draft, draftRuleId, now)
              : withDraft(zone.input, draft, "", now);
          return checkDraft(zone.input, changed, optionsOf(zone), request);
        },
        saveCustom: async (id, draft) => {
          await save(id, (zone) => saveCustomRule(text, zone, draft));
        },
        moveCustom: async (id, { rulesetId, ruleId }, index) => {
          await save(id, (zone) => moveRule(text, zone, placeOfRule(zone, ruleId, rulesetId), index));
        },
        deleteCustom: async (id, { rulesetId, ruleId }) => {
          await save(id, (zone) => removeRule(text, zone, placeOfRule(zone, ruleId, rulesetId)));
        },
      },
      rules: {
        create: (id, rule) => save(id, (zone) => saveRule(text, zone, undefined, rule)),
        edit: (id, rule, { position, ...members }) =>
          save(id, (zone) =>
            position === undefined
              ? saveRule(text, zone, rule, members)
              : moveRule(text, zone, placeOfRule(zone, rule), position.index),
          ),
        delete: async (id, rule) => {
          await save(id, (zone) => removeRule(text, zone, placeOfRule(zone, rule)));
        },
      },
    },
  };
}
