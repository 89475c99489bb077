/** The operations of path items: methods, paths with their variables, and parameters. */

import { isJsonObject, type JsonObject, ownMember } from "../../core/json-value.ts";
import { lowerFirst } from "../../core/text/sentence.ts";
import { invalidValue } from "../../engine/tokens/input-problem.ts";
import { parseTemplate } from "../../engine/tokens/zone/path-template.ts";
import { pointer, quote } from "../../errors.ts";
import { referenceOf, resolveReference } from "./local-references.ts";
import {
  arrayMember,
  objectMember,
  type Placed,
  type ReadingContext,
  reject,
  remark,
} from "./reading-context.ts";

/** An operation as it is in the document. */
export interface PathOperation {
  /** In upper case. */
  readonly method: string;
  /** The path template, without base path; begins with `/`. */
  readonly path: string;
  readonly operation: JsonObject;
  /** RFC 6901 pointer of the operation. */
  readonly at: string;
  readonly pathItem: JsonObject;
  /** RFC 6901 pointer of the path item. */
  readonly pathItemAt: string;
}

/** The methods of path items; `trace` since 3.0. */
const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** Reads the operations of a document; those with an extension of `ignore` are left out. */
export function* readPathOperations(
  context: ReadingContext,
  ignore: readonly string[],
): Generator<PathOperation> {
  const paths = objectMember(context, "`paths`", { value: context.root["paths"], at: "/paths" });
  if (paths === undefined) return;
  for (const path of Object.keys(paths)) {
    if (path.startsWith("x-")) continue;
    const at = `/paths${pointer(path)}`;
    if (!isUsable(context, path, at)) continue;
    const pathItem = readPathItem(context, { value: ownMember(paths, path), at });
    if (pathItem === undefined || isIgnored(context, pathItem, ignore)) continue;
    yield* operationsOf(context, path, pathItem, ignore);
  }
}

function isUsable(context: ReadingContext, path: string, at: string): boolean {
  const template = parseTemplate(path);
  if (template.ok) return true;
  const [{ message }] = template.problems;
  remark(context, "dropped", at, `The path is left out: ${lowerFirst(message)}`);
  return false;
}

/** A path item, with the members of the one that it refers to. Its own members count first. */
function readPathItem(context: ReadingContext, placed: Placed): Placed<JsonObject> | undefined {
  const own = objectMember(context, "a path item", placed);
  if (own === undefined || referenceOf(own) === undefined) return own && { value: own, at: placed.at };
  const resolved = resolveReference(context, placed);
  if ("reason" in resolved) {
    remark(context, "dropped", placed.at, `The path item is left out: ${resolved.reason}.`);
    return undefined;
  }
  const target = objectMember(context, "a path item", resolved);
  const { $ref: _, ...siblings } = own;
  if (Object.keys(siblings).length === 0) return target && { value: target, at: resolved.at };
  return target && { value: { ...target, ...siblings }, at: placed.at };
}

function isIgnored(
  context: ReadingContext,
  { value, at }: Placed<JsonObject>,
  ignore: readonly string[],
): boolean {
  const extension = ignore.find(
    (name) => ![undefined, null, false].includes(ownMember(value, name) as undefined),
  );
  if (extension === undefined) return false;
  remark(context, "ignored", at, `Left out, since ${quote(extension)} is ignored.`);
  return true;
}

function* operationsOf(
  context: ReadingContext,
  path: string,
  { value: pathItem, at: pathItemAt }: Placed<JsonObject>,
  ignore: readonly string[],
): Generator<PathOperation> {
  const shared = readPathParameters(context, pathItem, pathItemAt);
  for (const method of methods) {
    const at = `${pathItemAt}/${method}`;
    const operation = objectMember(context, "an operation", { value: ownMember(pathItem, method), at });
    if (operation === undefined || isIgnored(context, { value: operation, at }, ignore)) continue;
    const own = readPathParameters(context, operation, at);
    const missing = variablesOf(path).filter((name) => !shared.has(name) && !own.has(name));
    if (missing.length > 0) {
      const message = `${missing.map(quote).join(", ")} of the path has no parameter; it matches any segment.`;
      remark(context, "derived", at, message);
    }
    yield { method: method.toUpperCase(), path, operation, at, pathItem, pathItemAt };
  }
}

function variablesOf(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
}

/** The names of the path parameters of a path item or an operation. */
function readPathParameters(context: ReadingContext, owner: JsonObject, at: string): ReadonlySet<string> {
  const list =
    arrayMember(context, "`parameters`", { value: owner["parameters"], at: `${at}/parameters` }) ?? [];
  const names = list.flatMap((element, i) => {
    const here = `${at}/parameters${pointer(i)}`;
    const resolved = resolveReference(context, { value: element, at: here });
    if ("reason" in resolved) {
      remark(context, "dropped", here, `The parameter is left out: ${resolved.reason}.`);
      return [];
    }
    const parameter = resolved.value;
    if (!isJsonObject(parameter)) {
      reject(context, invalidValue(here, "a parameter", "an object", parameter));
      return [];
    }
    return parameter["in"] === "path" && typeof parameter["name"] === "string" ? [parameter["name"]] : [];
  });
  return new Set(names);
}
