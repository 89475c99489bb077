/**
 * Reads the sources of Terraform without a plan: resources whose members are literals, or local values and variables that
 * are. Everything else is unknown: it is named, with the command for a plan, and never guessed.
 */
import type { Placed } from "../../core/diagnostic.ts";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import type { PlacedSource } from "../../core/place.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { createMemberFinder, rangeIn } from "../../core/text-tree/member-node.ts";
import type { TextNode } from "../../core/text-tree/node.ts";
import { pointer, quote } from "../../errors.ts";
import { derivedHex } from "../../service/tokens/derived-ids.ts";
import { derivedValue, unreadable } from "../import-rules.ts";
import type { Origin } from "../origin.ts";
import type { Reader } from "../reader.ts";
import { emptyReading, type MissingResources, type Reading, type ResourceKind } from "../reading.ts";
import { type ImportFile, type SourceFile, sourceFile } from "../source-file.ts";
import type { Instance } from "./instance.ts";
import { kindOfType } from "./provider-resources.ts";
import { readInstances } from "./read-instances.ts";
import type { References } from "./references.ts";
import {
  addressOf,
  isSource,
  isVariables,
  moduleOf,
  repetitionOf,
  type SourceBlock,
  sourceText,
} from "./source-module.ts";
import type { MemberValue } from "./source-values.ts";

/** The name of the format. */
export const sourcesFormat = "Terraform sources";

/** How to get a file in which no value is unknown. */
export const planCommand =
  "terraform plan -out plan.bin && terraform show -json plan.bin > plan.json, and give plan.json";

/** Files of a folder are one module; each is read for its own resources. */
export const terraformSources: Reader = {
  format: sourcesFormat,
  detect: isSource,
  read: (file, { withSecrets }, all) => {
    const module = moduleOf(file, all, withSecrets);
    const { blocks, problems, positionAt } = sourceText(file);
    const repeated = blocks.filter((block) => isResource(block) && module.isRepeated(block));
    const faults = [
      ...problems,
      ...repeated.map((block) => {
        const at = { file: file.name, start: positionAt(block.root.name?.start ?? 0) };
        return unreadable(at, `Another block before has the address ${quote(addressOf(block))}.`);
      }),
    ];
    const [first, ...more] = faults;
    if (first) return failure<Placed>(first, ...more) as Result<Reading, Placed>;
    if (isVariables(file)) return success({ ...emptyReading, run: planCommand });
    return success(readBlocks(file, blocks, (block) => module.evaluate(file.text, block.body)));
  },
};

/** Whether a file has resources of a world. */
export function hasResources(file: ImportFile): boolean {
  const { blocks } = sourceText(sourceFile(file));
  return blocks.some((block) => isResource(block) && kindOfType(block.labels[0] ?? "") !== undefined);
}

function isResource({ keyword }: SourceBlock): boolean {
  return keyword === "resource" || keyword === "data";
}

type Evaluate = (block: SourceBlock) => ReadonlyMap<string, MemberValue>;

interface EvaluatedBlock {
  readonly body: TextNode;
  readonly members: ReadonlyMap<string, MemberValue>;
}

interface Collected {
  readonly place: PlacedSource;
  readonly evaluate: Evaluate;
  readonly instances: Instance[];
  readonly missing: MissingResources[];
  readonly derived: Reading["derived"][number][];
  /** By the address of the resource. */
  readonly blocks: Map<string, EvaluatedBlock>;
}

function readBlocks(file: SourceFile, blocks: readonly SourceBlock[], evaluate: Evaluate): Reading {
  const place = placesOf(file, blocks);
  const evaluated: Collected["blocks"] = new Map();
  const collected: Collected = {
    place,
    evaluate,
    instances: [],
    missing: [],
    derived: [],
    blocks: evaluated,
  };
  blocks.forEach((block, i) => {
    const pointer = `/${i}`;
    const origin: Origin = { file: place, pointer, address: addressOf(block), base: pointer };
    const missing = missingPart(block, origin);
    if (missing) collected.missing.push(missing);
    else if (isResource(block)) addInstance(collected, block, origin);
  });
  const references = referencesIn(evaluated);
  const { instances, missing, derived } = collected;
  const reading = readInstances({ place, instances, references, run: planCommand });
  return { ...reading, derived: [...derived, ...reading.derived], missing };
}

/** The references of the value at a pointer, or of its whole attribute when the text does not have that value. */
function referencesIn(blocks: Collected["blocks"]): References {
  const find = createMemberFinder();
  return (address, attribute, at = pointer(attribute)) => {
    const block = blocks.get(address);
    const unknown = block?.members.get(attribute)?.unknown ?? [];
    const { start, end } = block ? find(block.body, at) : { start: 0, end: 0 };
    const inside = unknown.filter((expression) => start <= expression.start && expression.start < end);
    return [...new Set((inside.length > 0 ? inside : unknown).flatMap(({ references: names }) => names))];
  };
}

/** The resources of a block that only a plan knows. */
function missingPart(block: SourceBlock, origin: Origin): MissingResources | undefined {
  const { keyword, labels } = block;
  if (keyword === "module") {
    const address = `module.${labels[0]}`;
    const message = `The resources of ${quote(address)} are not known: the sources of modules are not read.`;
    return { origin: { ...origin, address }, message };
  }
  const kind = isResource(block) ? kindOfType(labels[0] ?? "") : undefined;
  const isData = keyword === "data";
  if (kind === undefined || (isData && kind === "zone")) return undefined;
  const address = quote(origin.address);
  const repetition = repetitionOf(block);
  if (isData)
    return { kind, origin, message: `${address} is not known: a data source is read from the service.` };
  if (repetition === undefined) return undefined;
  return { kind, origin, message: `The instances of ${address} are not known: it has ${quote(repetition)}.` };
}

function addInstance(collected: Collected, block: SourceBlock, origin: Origin): void {
  const { address = "", pointer } = origin;
  const type = block.labels[0] ?? "";
  const isData = block.keyword === "data";
  if (isData && repetitionOf(block) !== undefined) return;
  const kind = kindOfType(type);
  const found = kind === undefined ? new Map<string, MemberValue>() : collected.evaluate(block);
  collected.blocks.set(address, { body: block.body, members: found });
  const given = Object.fromEntries([...found].map(([name, member]) => [name, member.value]));
  const values = { ...(kind && unset[kind]), ...given };
  for (const { member, id, source } of ownersOf(found)) {
    assign(values, member.split("/").slice(1), id);
    const name = quote(member.slice(1).replaceAll("/", "."));
    const message = `${name} is not known; the world has ${quote(id)}, derived from ${quote(source)}.`;
    collected.derived.push(derivedValue({ ...origin, pointer: pointer + member }, message));
  }
  const known = isData ? dataOf(address, values) : values;
  collected.instances.push({ address, isData, type, pointer, values: known });
}

/** Lists that are empty when a block does not set them. */
const unset: Readonly<Partial<Record<ResourceKind, JsonObject>>> = {
  ruleset: { rules: null },
  rule_list: { items: null },
};

/** Pointers begin with the number of the block. */
function placesOf(file: SourceFile, blocks: readonly SourceBlock[]): PlacedSource {
  const { positionAt } = sourceText(file);
  const find = createMemberFinder();
  return {
    place: (pointer) => {
      const [, index = "", member = ""] = /^\/(\d+)(.*)$/s.exec(pointer) ?? [];
      const block = blocks[Number(index)];
      const { start, end } = block ? rangeIn(find, block, member) : { start: 0, end: undefined };
      return {
        file: file.name,
        pointer,
        start: positionAt(start),
        ...(end !== undefined && { end: positionAt(end) }),
      };
    },
  };
}

/** A zone or account whose id is not known: the same expression is the same one. */
interface DerivedOwner {
  /** RFC 6901 pointer into the attributes. */
  readonly member: string;
  readonly id: string;
  readonly source: string;
}

function ownersOf(members: ReadonlyMap<string, MemberValue>): readonly DerivedOwner[] {
  const owners: DerivedOwner[] = [];
  for (const [name, { value, unknown, source: written }] of members) {
    const [only, ...more] = unknown;
    const source = only && more.length === 0 ? only.text : written;
    const id = derivedHex(keyOf(source));
    const account = Array.isArray(value) ? value[0] : value;
    if ((name === "zone_id" || name === "account_id") && typeof value === "symbol")
      owners.push({ member: `/${name}`, id, source });
    else if (name === "account" && isJsonObject(account) && typeof account["id"] === "symbol")
      owners.push({ member: account === value ? "/account/id" : "/account/0/id", id, source });
  }
  return owners;
}

/** The id of a resource is derived from its address. */
function keyOf(source: string): string {
  return /^(?:var|local|module|each)\b/.test(source) ? source : source.replace(/\.(?:id|zone_id)$/, "");
}

/** Sets a member of values that only this block has. */
function assign(values: JsonObject, [name = "", ...rest]: readonly string[], id: string): void {
  const inner = values[name];
  const copy = Array.isArray(inner) ? [...inner] : { ...(inner as JsonObject) };
  if (rest.length > 0) assign(copy as JsonObject, rest, id);
  (values as Record<string, unknown>)[name] = rest.length === 0 ? id : copy;
}

/** The values that a data source of a zone will have read: the filter is what it must match. */
function dataOf(address: string, { name, zone_id: id, filter }: JsonObject): JsonObject {
  const first: unknown = Array.isArray(filter) ? filter[0] : filter;
  const found = name ?? (isJsonObject(first) ? first["name"] : undefined);
  const known = typeof id === "string" ? id : derivedHex(address);
  return { id: known, ...(typeof found === "string" && { name: found }) };
}
