/** 10400 and 10012: the body must be a JSON object with only the members that the account's plan may send. */
import { pointer } from "../../../errors.ts";
import type { PatchOperation } from "../patch.ts";
import { type Decoded, type DecodeFault, type MemberName, maxDepth } from "../read/decode.ts";
import { memberPath } from "../read/describe-input.ts";
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

const payAsYouGo = {
  plan: "pay-as-you-go",
  protocols: { allowed: ["tcp/22"], reserved: [] },
  apps: [],
} as const;

/** Checks of the fields phase, which apply only to pay-as-you-go accounts (`spec`). */
export const fieldChecks: readonly Check<Decoded>[] = [
  check<Decoded, readonly string[]>({
    id: "member-unknown",
    code: 10012,
    phase: "fields",
    rule: "Pay-as-you-go accounts send no unknown members, also not nested ones.",
    why: "The service rejects them; unknown members in bodies of accounts with the add-on are ignored.",
    fix: "Remove the members, or correct their spelling.",
    find: ({ unknown }, { plan }) => (plan === "pay-as-you-go" && unknown.length > 0 ? [unknown] : undefined),
    message: (unknown) =>
      `The body has the unknown members ${list(unknown)}; only members of an application are allowed.`,
    pointers: (unknown) => unknown,
    patch: removals,
    bad: { body: { ...direct, foo: 1 }, facts: payAsYouGo },
    good: { body: { ...direct, foo: 1 } },
  }),
  check<Decoded, { readonly pointers: readonly string[]; readonly removable: boolean }>({
    id: "member-needs-add-on",
    code: 10012,
    phase: "fields",
    rule: "Pay-as-you-go accounts send only `protocol`, `dns` and `origin_direct`.",
    why: "Every other member belongs to the paid add-on.",
    fix: "Remove the members, or get the paid add-on.",
    find: ({ present }, { plan }) => {
      if (plan !== "pay-as-you-go") return undefined;
      const paid = present.filter((name) => !payAsYouGoMembers.has(name)).sort();
      if (paid.length === 0) return undefined;
      const removable = !paid.includes("origin_dns") || present.includes("origin_direct");
      return [{ pointers: paid.map((name) => pointer(name)), removable }];
    },
    message: ({ pointers }) =>
      `The body has the members ${list(pointers)} of the paid add-on; pay-as-you-go accounts may send \`protocol\`, \`dns\` and \`origin_direct\`.`,
    pointers: ({ pointers }) => pointers,
    patch: ({ pointers, removable }) => (removable ? removals(pointers) : undefined),
    bad: { body: { ...direct, tls: "off" }, facts: payAsYouGo },
    good: { body: { ...byName, tls: "off" } },
  }),
];

function removals(pointers: readonly string[]): readonly PatchOperation[] {
  return pointers.map((path) => ({ op: "remove", path }));
}

/** Maximum number of members that a message lists. */
const maxListed = 5;

function list(pointers: readonly string[]): string {
  const listed = pointers.slice(0, maxListed).map(memberPath);
  const more = pointers.length - listed.length;
  return listed.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
