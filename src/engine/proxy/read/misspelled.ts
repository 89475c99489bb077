/**
 * Misspelled members (`chosen`): the name that an unknown member must have been meant to have. A name is proposed only
 * when no other is possible and nothing is lost.
 */
import { nearest } from "../../../core/suggest.ts";
import { parseHostname } from "../grammar/hostname.ts";
import { parseOrigin } from "../grammar/origin.ts";
import { isTtl } from "../grammar/ttl.ts";
import { parseUuid } from "../grammar/uuid.ts";
import { readApp } from "./app.ts";
import { decodeBody, namesIn, type UnknownMember } from "./decode.ts";

/** Maximum number of edits between a misspelled name and the correct one. */
const maxEdits = 2;

/** A misspelled member and its correct name. */
export interface Rename {
  /** RFC 6901 pointer of the misspelled member. */
  readonly pointer: string;
  /** The correct name. */
  readonly name: string;
}

/**
 * The members that can be renamed: exactly one allowed name is within two edits and within a third of the name's
 * length, the object does not have it, no other unknown member has the same correct name, and the value is one of that
 * member.
 *
 * @param isAllowed whether a member may be proposed; by default every member
 */
export function findRenames(
  unknown: readonly UnknownMember[],
  isAllowed: (parent: string | undefined, name: string) => boolean = () => true,
): readonly Rename[] {
  const found = unknown.flatMap((member) => {
    const name = correctName(member);
    if (name === undefined || !isAllowed(member.parent, name)) return [];
    return [{ member, name, at: member.parent === undefined ? `/${name}` : `/${member.parent}/${name}` }];
  });
  const claims = new Map<string, number>();
  for (const { at } of found) claims.set(at, (claims.get(at) ?? 0) + 1);
  return found
    .filter(({ member, name, at }) => claims.get(at) === 1 && isValueOf(member, name, at))
    .map(({ member, name }) => ({ pointer: member.pointer, name }));
}

function correctName({ parent, name, siblings }: UnknownMember): string | undefined {
  const edits = Math.min(maxEdits, Math.floor(Array.from(name).length / 3));
  const [only, ...others] = nearest(name, namesIn(parent), edits);
  return only === undefined || others.length > 0 || siblings.has(only) ? undefined : only;
}

/** Whether a value has the format of a member, and the grammar of its strings. */
function isValueOf({ parent, value }: UnknownMember, name: string, at: string): boolean {
  if (value === null) return false;
  const body = parent === undefined ? { [name]: value } : { [parent]: { [name]: value } };
  const { members, unknown } = decodeBody(body, "drop");
  const isOwn = (pointer: string) => pointer === at || pointer.startsWith(`${at}/`);
  if (unknown.length > 0 || readApp(members, undefined).faults.some(({ pointer = "" }) => isOwn(pointer)))
    return false;
  return (grammars.get(at) ?? hasAny)(value);
}

type Grammar = (value: unknown) => boolean;

const hasAny: Grammar = () => true;

/** The members whose strings and numbers are validated only after the format. */
const grammars: ReadonlyMap<string, Grammar> = new Map<string, Grammar>([
  ["/origin_direct", (value) => Array.isArray(value) && value.every((text) => parseOrigin(String(text)).ok)],
  ["/origin_dns", (value) => isOriginName(Object(value).name)],
  ["/origin_dns/name", isOriginName],
  ["/origin_dns/ttl", isTtl],
  ["/virtual_network_id", (value) => parseUuid(String(value)).ok],
]);

function isOriginName(value: unknown): boolean {
  return typeof value === "string" && parseHostname(value).ok;
}
