/** Checks the facts about proxy applications of a world's accounts and zones. */

import { parseIp } from "../../../core/address/ip.ts";
import type { ParseFault } from "../../../core/address/parse-fault.ts";
import type { Result } from "../../../core/result.ts";
import { checkFacts } from "../../../engine/proxy/facts/compile-facts.ts";
import { parseHostname } from "../../../engine/proxy/grammar/hostname.ts";
import { memberPath } from "../../../engine/proxy/read/describe-input.ts";
import { type CodedDiagnostic, pointer, problem, quote } from "../../../errors.ts";
import { genericCodes, prefixPointers } from "../../context.ts";
import type { ParsedWorld, WorldCheck } from "../part.ts";

/** Facts of accounts, host names of zones, and orphaned addresses. */
export const checkProxy: WorldCheck<undefined> = (world) => ({
  problems: proxyProblems(world),
  value: undefined,
});

/** Malformed facts about accounts and zones, and malformed edge addresses. */
function proxyProblems({
  accounts = [],
  zones = [],
  orphaned_edge_ips = [],
}: ParsedWorld): readonly CodedDiagnostic[] {
  return [
    ...accounts.flatMap(({ proxy = {} }, i) =>
      prefixPointers(pointer("accounts", i, "proxy"), checkFacts(proxy)),
    ),
    ...zones.flatMap(({ proxy }, i) =>
      parseProblems(proxy?.hostnames ?? [], pointer("zones", i, "proxy", "hostnames"), parseHostname),
    ),
    ...parseProblems(orphaned_edge_ips, pointer("orphaned_edge_ips"), parseIp),
  ];
}

/** One problem for each malformed string of a list. */
function parseProblems(
  list: readonly string[],
  at: string,
  parse: (text: string) => Result<unknown, ParseFault>,
): CodedDiagnostic[] {
  return list.flatMap((text, i) => {
    const result = parse(text);
    if (result.ok) return [];
    const [{ offset, message }] = result.problems;
    const sentence = `${memberPath(at + pointer(i))} is ${quote(text)}: at offset ${offset} ${message}.`;
    return [problem(genericCodes.shared.invalid, sentence, at + pointer(i))];
  });
}
