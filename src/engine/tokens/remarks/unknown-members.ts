/** Members of a zone's configurations, rules and operations that have no meaning: probably mistyped. */

import type { Diagnostic } from "../../../core/diagnostic.ts";
import { isJsonObject } from "../../../core/json-value.ts";
import { didYouMean } from "../../../core/suggest.ts";
import { pointer, quote } from "../../../errors.ts";
import { type RemarkKind, remark } from "./remark.ts";

/** Members that are read, and members of the interface's output and of stored records, which are ignored silently. */
interface KnownMembers {
  readonly read: readonly string[];
  readonly ignored: readonly string[];
}

const recorded = ["created_at", "last_updated", "modified_by", "scope", "sequence"];

/** The members of each kind of object. */
const members = {
  config: {
    read: ["id", "title", "description", "token_type", "token_sources", "credentials"],
    ignored: recorded,
  },
  rule: {
    read: ["id", "title", "description", "action", "enabled", "expression", "selector"],
    ignored: [...recorded, "position"],
  },
  selector: { read: ["include", "exclude"], ignored: [] },
  include: { read: ["host"], ignored: [] },
  exclude: { read: ["operation_ids"], ignored: [] },
  operation: {
    read: ["operation_id", "method", "host", "endpoint"],
    ignored: [...recorded, "id", "features"],
  },
} as const satisfies Record<string, KnownMembers>;

/** Remarks on unknown members of a configuration or an operation. */
export function memberRemarks(
  kind: keyof typeof members,
  value: unknown,
  at: string,
): Diagnostic<RemarkKind>[] {
  if (!isJsonObject(value)) return [];
  const { read, ignored }: KnownMembers = members[kind];
  return Object.keys(value)
    .filter((name) => value[name] !== undefined && !read.includes(name) && !ignored.includes(name))
    .map((name) => {
      const message = `${quote(name)} is not a known member and was ignored${didYouMean(name, read)}`;
      return remark("unknown-member", at + pointer(name), message.endsWith("?") ? message : `${message}.`);
    });
}

/** Remarks on unknown members of a rule and its selector. */
export function ruleMemberRemarks(
  rule: Readonly<Record<string, unknown>>,
  at: string,
): Diagnostic<RemarkKind>[] {
  const { selector } = rule;
  const here = `${at}/selector`;
  return [
    ...memberRemarks("rule", rule, at),
    ...memberRemarks("selector", selector, here),
    ...entryRemarks("include", selector, here),
    ...entryRemarks("exclude", selector, here),
  ];
}

function entryRemarks(kind: "include" | "exclude", selector: unknown, at: string): Diagnostic<RemarkKind>[] {
  const entries = isJsonObject(selector) ? selector[kind] : undefined;
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown, i) => memberRemarks(kind, entry, at + pointer(kind, i)));
}
