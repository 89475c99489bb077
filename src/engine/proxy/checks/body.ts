/** 10400 and 10012: is the body a JSON object, and does it have only the members that its plan may send? */
import { pointer } from "../../../errors.ts";
import type { PatchOperation } from "../patch.ts";
import { type Decoded, type DecodeFault, type MemberName, maxDepth } from "../read/decode.ts";
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
    facts: [],
    what: "The body is a JSON object.",
    why: "Members are looked up by name.",
    fix: "Send one application as a JSON object.",
    find: ({ fault }) => (fault?.kind === "not-an-object" ? [fault] : undefined),
    message: ({ found }) => `The body is ${found}; an object is expected.`,
    pointers: () => [""],
    bad: { body: [direct] },
    good: { body: direct },
  }),
  check<Decoded, DecodeFault>({
    id: "body-not-json",
    code: 10400,
    phase: "decode",
    facts: [],
    what: `Members that are ignored hold JSON, too, at most ${maxDepth} levels deep.`,
    why: "What cannot be written as JSON cannot have been sent, and bottomless values would exhaust the stack.",
    fix: "Take the member out of the body.",
    find: ({ fault }) => (fault?.kind === "not-json" ? [fault] : undefined),
    message: ({ found }) => `The body holds ${found}; only JSON of at most ${maxDepth} levels is allowed.`,
    pointers: ({ pointer: at }) => [at],
    bad: { body: { ...direct, comment: Number.POSITIVE_INFINITY } },
    good: { body: { ...direct, comment: 1 } },
  }),
];

const payAsYouGo = {
  plan: "pay-as-you-go",
  protocols: { allowed: ["tcp/22"], reserved: [] },
  apps: [],
} as const;

/** Checks of the fields phase: only pay-as-you-go accounts are told (`spec`). */
export const fieldChecks: readonly Check<Decoded>[] = [
  check<Decoded, readonly string[]>({
    id: "member-unknown",
    code: 10012,
    phase: "fields",
    facts: [],
    what: "Pay-as-you-go accounts send no members that an application does not have, nested ones included.",
    why: "The service checks their bodies strictly; bodies of accounts with the add-on lose unknown members silently.",
    fix: "Remove the members, or correct their spelling.",
    find: ({ unknown }, { plan }) => (plan === "pay-as-you-go" && unknown.length > 0 ? [unknown] : undefined),
    message: (unknown) =>
      `The body has unknown members: ${listed(unknown)}; an application does not have them.`,
    pointers: (unknown) => unknown,
    patch: removals,
    bad: { body: { ...direct, foo: 1 }, facts: payAsYouGo },
    good: { body: { ...direct, foo: 1 } },
  }),
  check<Decoded, { readonly pointers: readonly string[]; readonly droppable: boolean }>({
    id: "member-needs-add-on",
    code: 10012,
    phase: "fields",
    facts: [],
    what: "Pay-as-you-go accounts send only `protocol`, `dns` and `origin_direct`.",
    why: "Every other member belongs to the paid add-on.",
    fix: "Remove the members, or get the paid add-on.",
    find: ({ present }, { plan }) => {
      if (plan !== "pay-as-you-go") return undefined;
      const paid = present.filter((name) => !payAsYouGoMembers.has(name)).sort();
      if (paid.length === 0) return undefined;
      const droppable = !paid.includes("origin_dns") || present.includes("origin_direct");
      return [{ pointers: paid.map((name) => pointer(name)), droppable }];
    },
    message: ({ pointers }) =>
      `The body has members of the paid add-on: ${listed(pointers)}; pay-as-you-go accounts may send \`protocol\`, \`dns\` and \`origin_direct\`.`,
    pointers: ({ pointers }) => pointers,
    patch: ({ pointers, droppable }) => (droppable ? removals(pointers) : undefined),
    bad: { body: { ...direct, tls: "off" }, facts: payAsYouGo },
    good: { body: { ...byName, tls: "off" } },
  }),
];

function removals(pointers: readonly string[]): readonly PatchOperation[] {
  return pointers.map((path) => ({ op: "remove", path }));
}

/** Most members that a message names. */
const maxListed = 5;

function listed(pointers: readonly string[]): string {
  const shown = pointers.slice(0, maxListed).map((at) => `\`${at.slice(1, 81)}\``);
  const more = pointers.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
