/**
 * The other names of members of an application, such as those of the provider: a body is read under the names of the
 * engine, and what is found in it is reported under the names of the body.
 */
import type { Diagnostic } from "../../core/diagnostic.ts";
import type { PatchOperation } from "../../core/json/patch.ts";
import { isJsonObject } from "../../core/json-value.ts";
import type { Validation } from "../../engine/proxy/model.ts";
import { aliasesOf } from "../../schemas/member.ts";
import { applicationResource } from "../../schemas/proxy.ts";

/** Each name of a body with that of the engine, and each name of the engine with that of the body. */
export type MemberNames = ReadonlyMap<string, string>;

/** The names of one member that is called `outer` in a body. */
export function namesFor(outer: string, inner: string): MemberNames {
  return new Map(
    outer === inner
      ? []
      : [
          [outer, inner],
          [inner, outer],
        ],
  );
}

/** The members of the body under the names of the engine, in their order; other values are returned unchanged. */
export function readNames(body: unknown, names: MemberNames): unknown {
  if (names.size === 0 || !isJsonObject(body)) return body;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [names.get(name) ?? name, value]));
}

/** A finding with the names of the body. */
export function withNames<T extends Diagnostic>(found: T, names: MemberNames): T {
  if (names.size === 0) return found;
  const swap = (text: string) => text.replaceAll(/\w+/g, (word) => names.get(word) ?? word);
  const { message, pointer, help, fix, related } = found;
  return {
    ...found,
    message: swap(message),
    ...(pointer !== undefined && { pointer: swap(pointer) }),
    ...(help !== undefined && { help: swap(help) }),
    ...(fix && { fix: fix.map((operation) => renameOperation(operation, swap)) }),
    ...(related && {
      related: related.map((part) => ({ ...part, pointer: swap(part.pointer), message: swap(part.message) })),
    }),
  };
}

function renameOperation(operation: PatchOperation, swap: (text: string) => string): PatchOperation {
  const path = swap(operation.path);
  return operation.op === "move"
    ? { ...operation, path, from: swap(operation.from) }
    : { ...operation, path };
}

const aliases = aliasesOf(applicationResource);

/** Validates a body with members under any of their names; one that is there twice counts under that of the engine. */
export function validateNamed(body: unknown, validate: (body: unknown) => Validation): Validation {
  const names = isJsonObject(body) ? aliasesIn(body) : new Map<string, string>();
  if (names.size === 0) return validate(body);
  const found = validate(readNames(body, names));
  return {
    ...found,
    violations: found.violations.map((violation) => withNames(violation, names)),
    warnings: found.warnings.map((warning) => withNames(warning, names)),
  };
}

function aliasesIn(body: object): MemberNames {
  const used = [...aliases].filter(
    ([other, name]) => Object.hasOwn(body, other) && !Object.hasOwn(body, name),
  );
  return new Map(used.flatMap(([other, name]) => [...namesFor(other, name)]));
}
