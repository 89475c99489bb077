/** 10400 and 10012: the body must be a JSON object with only the members that the account's plan may send. */

import type { PatchOperation } from "../../../core/json/patch.ts";
import { noteCodes, pointer, quote } from "../../../errors.ts";
import { type Decoded, type DecodeFault, type MemberName, maxDepth } from "../read/decode.ts";
import { memberPath } from "../read/describe-input.ts";
import { findRenames, type Rename } from "../read/misspelled.ts";
import { type Check, check } from "./check.ts";
import { byName, direct } from "./samples.ts";

/** The members that pay-as-you-go accounts may send (`spec`). */
export const payAsYouGoMembers: ReadonlySet<MemberName> = new Set(["protocol", "dns", "origin_direct"]);

/** Checks of the decode phase. */
export const decodeChecks: readonly Check<Decoded>[] = [
  check<Decoded, DecodeFault>({
    id: "body-not-an-object",
    code: 10400,
    phase: "decode",
    rule: "The body is a JSON object.",
    why: "Members are looked up by name.",
    fix: "Send one application as a JSON object.",
    find: ({ fault }) => (fault?.kind === "not-an-object" ? [fault] : undefined),
    message: ({ found }) => `The body must be an object; found ${found}.`,
    pointers: () => [""],
    bad: { body: [direct] },
    good: { body: direct },
  }),
  check<Decoded, DecodeFault>({
    id: "body-not-json",
    code: 10400,
    phase: "decode",
    rule: `Ignored members contain only JSON, at most ${maxDepth} levels deep.`,
    why: "A value that JSON cannot represent cannot have been sent, and unlimited depth would exhaust the stack.",
    fix: "Remove the member.",
    find: ({ fault }) => (fault?.kind === "not-json" ? [fault] : undefined),
    message: ({ pointer: at, found }) =>
      `${at === "" ? "The body" : memberPath(at)} contains ${found}; only JSON of at most ${maxDepth} levels is allowed.`,
    pointers: ({ pointer: at }) => [at],
    bad: { body: { ...direct, comment: Number.POSITIVE_INFINITY } },
    good: { body: { ...direct, comment: 1 } },
  }),
];

const { origin_direct, ...withoutOrigin } = direct;
const withMisspelling = { ...withoutOrigin, orgin_direct: origin_direct };

const payAsYouGo = {
  plan: "pay-as-you-go",
  protocols: { allowed: ["tcp/22"], reserved: [] },
  apps: [],
} as const;

/** Names of the members of an application and of its objects that a plan may send. */
const isPayAsYouGo = (parent: string | undefined, name: string) =>
  (payAsYouGoMembers as ReadonlySet<string>).has(parent ?? name);

interface UnknownNames {
  readonly pointers: readonly string[];
  readonly renames: readonly Rename[];
}

/** One ignored member, and its correct name when there is only one. */
interface IgnoredName {
  readonly pointer: string;
  readonly rename: Rename | undefined;
}

/** Checks of the fields phase. 10012 applies only to pay-as-you-go accounts (`spec`). */
export const fieldChecks: readonly Check<Decoded>[] = [
  check<Decoded, UnknownNames>({
    id: "member-unknown",
    code: 10012,
    phase: "fields",
    rule: "Pay-as-you-go accounts send no unknown members, also not nested ones.",
    why: "The service rejects them; unknown members in bodies of accounts with the add-on are ignored.",
    fix: "Correct the spelling of the members, or remove them.",
    find: ({ unknown }, { plan }) => {
      if (plan !== "pay-as-you-go" || unknown.length === 0) return undefined;
      return [
        { pointers: unknown.map(({ pointer }) => pointer), renames: findRenames(unknown, isPayAsYouGo) },
      ];
    },
    message: ({ pointers }) =>
      `The body has the unknown members ${list(pointers)}; only members of an application are allowed.`,
    pointers: ({ pointers }) => pointers,
    patch: ({ renames }) => (renames.length > 0 ? renames.map(moveOf) : undefined),
    bad: { body: withMisspelling, facts: payAsYouGo },
    good: { body: direct, facts: payAsYouGo },
  }),
  check<Decoded, readonly string[]>({
    id: "member-needs-add-on",
    code: 10012,
    phase: "fields",
    rule: "Pay-as-you-go accounts send only `protocol`, `dns` and `origin_direct`.",
    why: "Every other member belongs to the paid add-on.",
    fix: "Remove the members, or get the paid add-on.",
    find: ({ present }, { plan }) => {
      if (plan !== "pay-as-you-go") return undefined;
      const paid = present.filter((name) => !payAsYouGoMembers.has(name)).sort();
      return paid.length === 0 ? undefined : [paid.map((name) => pointer(name))];
    },
    message: (pointers) =>
      `The body has the members ${list(pointers)} of the paid add-on; pay-as-you-go accounts may send \`protocol\`, \`dns\` and \`origin_direct\`.`,
    pointers: (pointers) => pointers,
    bad: { body: { ...direct, tls: "off" }, facts: payAsYouGo },
    good: { body: { ...byName, tls: "off" } },
  }),
  check<Decoded, IgnoredName>({
    id: "member-ignored",
    code: noteCodes.memberIgnored,
    level: "warning",
    phase: "fields",
    rule: "Accounts with the add-on send no unknown members, also not nested ones.",
    why: "The service ignores them, so that a misspelled member has no effect.",
    fix: "Correct the spelling of the member, or remove it.",
    find: ({ unknown }, { plan }) => {
      if (plan === "pay-as-you-go" || unknown.length === 0) return undefined;
      const renames = new Map(findRenames(unknown).map((rename) => [rename.pointer, rename]));
      return unknown.map(({ pointer: at }) => ({ pointer: at, rename: renames.get(at) }));
    },
    message: ({ pointer: at, rename }) =>
      `The member ${memberPath(at)} is ignored${rename ? `; did you mean ${quote(rename.name)}?` : "."}`,
    pointers: ({ pointer: at }) => [at],
    patch: ({ rename }) => (rename ? [moveOf(rename)] : undefined),
    bad: { body: { ...direct, trafic_type: "http" } },
    good: { body: { ...direct, traffic_type: "http" } },
  }),
];

/** Renames a member; its place and value stay. */
function moveOf({ pointer: from, name }: Rename): PatchOperation {
  return { op: "move", from, path: from.slice(0, from.lastIndexOf("/")) + pointer(name) };
}

/** Maximum number of members that a message lists. */
const maxListed = 5;

function list(pointers: readonly string[]): string {
  const listed = pointers.slice(0, maxListed).map(memberPath);
  const more = pointers.length - listed.length;
  return listed.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
