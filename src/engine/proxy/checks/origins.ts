/** 11000 (`spec`): exactly one of `origin_direct` and `origin_dns`. */
import type { Candidate } from "../read/candidate.ts";
import { type Check, statelessCheck } from "./check.ts";
import { byName, direct } from "./samples.ts";

const origins = ["/origin_direct", "/origin_dns"] as const;

/** Whether an application has both kinds of origin, so that neither can be validated separately. */
export function hasBothOrigins({ app }: Candidate): boolean {
  return app.origin_direct !== undefined && app.origin_dns !== undefined;
}

/** Checks of 11000. */
export const originChecks: readonly Check<Candidate>[] = [
  statelessCheck<true>({
    id: "origin-both",
    code: 11000,
    rule: "`origin_direct` and `origin_dns` are not combined.",
    why: "An origin is found either by address or by name.",
    fix: "Keep one of the two.",
    find: (candidate) => (hasBothOrigins(candidate) ? [true] : undefined),
    message: () => "Both `origin_direct` and `origin_dns` are set; exactly one of them is allowed.",
    pointers: () => origins,
    bad: { body: { ...byName, ...direct } },
    good: { body: { ...byName, origin_direct: [] } },
  }),
  statelessCheck<true>({
    id: "origin-none",
    code: 11000,
    rule: "One of `origin_direct` and `origin_dns` is set; null and an empty array count as missing.",
    why: "Traffic needs a destination.",
    fix: "Add `origin_direct` with an address, or `origin_dns` with a name, and `origin_port`.",
    find: ({ app }) => (app.origin_direct || app.origin_dns ? undefined : [true]),
    message: () => "Both `origin_direct` and `origin_dns` are missing; exactly one of them is required.",
    pointers: () => origins,
    bad: { body: { ...direct, origin_direct: [] } },
    good: { body: { ...direct, origin_direct: ["tcp://192.0.2.1:22", "tcp://192.0.2.2:22"] } },
  }),
];
