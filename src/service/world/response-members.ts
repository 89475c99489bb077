/**
 * Members of the interface's responses that a world file may repeat, so that they can be pasted: those that only responses
 * have are ignored, null members count as missing, and members that responses name differently are read.
 */
import * as z from "zod";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { pointer, quote } from "../../errors.ts";
import { aliasesOf, type Resource, resourceOf } from "../../schemas/member.ts";
import { zoneAnswers, zoneObjects } from "../../schemas/zones.ts";
import { worldSchema } from "./schema.ts";

/** An object or an array of the world file. */
interface Shape {
  /** Members that only responses have. */
  readonly ignored?: readonly string[];
  /** Names in responses, and the name in the world file. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** A member of responses whose members the world file has one level higher. */
  readonly lifted?: string | undefined;
  /** Objects of responses of which the world file has one value. */
  readonly objects?: typeof zoneObjects;
  /** Whether responses have the elements of an array as the members of an object, by their ids. */
  readonly isById?: boolean;
  readonly members?: Readonly<Record<string, Shape>>;
  readonly elements?: Shape;
}

/** Of a resource, from the table of its kind. */
function shapeOfResource(resource: Resource): Shape {
  const { members, answers } = resource;
  const lifted = Object.values(members).find(({ within }) => within !== "none")?.within;
  return { ignored: answers, renamed: Object.fromEntries(aliasesOf(resource)), lifted };
}

/**
 * Of a part of the world file, from its schema; undefined for what is left as it is, such as metadata of images. Elements
 * that the engine validates are objects too.
 */
function shapeOf(schema: z.core.$ZodType): Shape | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return shapeOf(schema.def.innerType);
  if (schema instanceof z.ZodArray) {
    const { element } = schema.def;
    return { elements: shapeOf(element) ?? {}, isById: resourceOf(element)?.isById === true };
  }
  const resource = resourceOf(schema);
  const own = resource && shapeOfResource(resource);
  if (!(schema instanceof z.ZodObject)) return own;
  const members = Object.entries(schema.shape).flatMap(([name, member]) => {
    const shape = shapeOf(member);
    return shape ? [[name, shape] as const] : [];
  });
  return { ...own, members: Object.fromEntries(members) };
}

const world = withZones(shapeOf(worldSchema) ?? {});

/** Zones are a part of the world file whose members have no table. */
function withZones({ members = {}, ...shape }: Shape): Shape {
  const { elements } = members["zones"] ?? {};
  const zones = { elements: { ...elements, ignored: zoneAnswers, objects: zoneObjects } };
  return { ...shape, members: { ...members, zones } };
}

/** The shapes that lead to arrays which responses have as objects. */
const lists = listsOf(world);

function listsOf(shape: Shape): Shape | undefined {
  if (shape.isById) return shape;
  const elements = shape.elements && listsOf(shape.elements);
  const members = Object.entries(shape.members ?? {}).flatMap(([name, member]) => {
    const found = listsOf(member);
    return found ? [[name, found] as const] : [];
  });
  if (elements) return { elements };
  return members.length > 0 ? { members: Object.fromEntries(members) } : undefined;
}

/** A world whose arrays are arrays: responses have some as an object by id. The same value when all are. */
export function withLists<T>(value: T): T {
  return listsIn(value, lists) as T;
}

function listsIn(value: unknown, shape: Shape | undefined): unknown {
  if (Array.isArray(value))
    return shape?.elements ? value.map((element) => listsIn(element, shape.elements)) : value;
  if (!isJsonObject(value) || shape === undefined) return value;
  if (shape.isById && Object.values(value).every(isJsonObject))
    // The id can be the name only (spec).
    return Object.entries(value).map(([id, element]) => ({ id, ...(element as JsonObject) }));
  const { members = {} } = shape;
  const entries = Object.entries(value).map(([name, member]) => {
    return [name, Object.hasOwn(members, name) ? listsIn(member, members[name]) : member];
  });
  return Object.fromEntries(entries);
}

/** A world without what only responses have. */
export interface CleanedWorld {
  readonly world: unknown;
  /** One line for each name that was ignored, renamed or null; without a full stop. */
  readonly notes: readonly string[];
}

/** Removes what only responses have from a value that may be a world. The value itself is not changed. */
export function withoutResponseMembers(value: unknown): CleanedWorld {
  const lines = new Map<string, Places>();
  const cleaned = clean(withLists(value), world, "", (line, at) => {
    const places = lines.get(line) ?? { first: at, count: 0 };
    lines.set(line, { ...places, count: places.count + 1 });
  });
  return { world: cleaned, notes: [...lines].map(([line, places]) => `${line} (${describePlaces(places)})`) };
}

interface Places {
  readonly first: string;
  readonly count: number;
}

function describePlaces({ first, count }: Places): string {
  return count === 1 ? `at ${first}` : `${count} times, first at ${first}`;
}

type AddLine = (line: string, at: string) => void;

function clean(value: unknown, shape: Shape, at: string, note: AddLine): unknown {
  if (Array.isArray(value)) {
    const { elements } = shape;
    return elements ? value.map((element, i) => clean(element, elements, at + pointer(i), note)) : value;
  }
  if (!isJsonObject(value) || shape.elements) return value;
  return Object.fromEntries(membersOf(value, shape, at, note));
}

/** The members to keep, under the names of the world file. */
function membersOf(value: JsonObject, shape: Shape, at: string, note: AddLine): [string, unknown][] {
  return Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const memberAt = at + pointer(name);
    if (member === null) {
      note(`${quote(name)} is null, which counts as missing`, memberAt);
      return [];
    }
    if (shape.ignored?.includes(name)) {
      note(`${quote(name)} is a member of responses and was ignored`, memberAt);
      return [];
    }
    if (name === shape.lifted && isJsonObject(member)) {
      note(`the members of ${quote(name)} were read as those of the object around it`, memberAt);
      return membersOf(member, {}, memberAt, note).filter(([inner]) => !Object.hasOwn(value, inner));
    }
    const object = shape.objects && Object.hasOwn(shape.objects, name) ? shape.objects[name] : undefined;
    if (object && isJsonObject(member) && (name === object.name || !Object.hasOwn(value, object.name))) {
      note(`${quote(name)} is an object of responses and was read as ${quote(object.name)}`, memberAt);
      const read = object.read(member);
      return read === undefined ? [] : [[object.name, read]];
    }
    const own = nameInWorld(name, value, shape);
    if (own !== name) note(`${quote(name)} was read as ${quote(own)}`, memberAt);
    return [[own, cleanMember(member, own, shape, memberAt, note)]];
  });
}

function cleanMember(
  member: unknown,
  name: string,
  { members = {} }: Shape,
  at: string,
  note: AddLine,
): unknown {
  const inner = Object.hasOwn(members, name) ? members[name] : undefined;
  return inner ? clean(member, inner, at, note) : member;
}

/** The name of a response stays, and is rejected, when the object also has that of the world file. */
function nameInWorld(name: string, value: JsonObject, { renamed = {} }: Shape): string {
  const own = Object.hasOwn(renamed, name) ? renamed[name] : undefined;
  return own === undefined || Object.hasOwn(value, own) ? name : own;
}

/** Adds the members of responses to the JSON Schema of a world, so that editors accept them. */
function describeResponseMembers(schema: unknown, shape: Shape = world): unknown {
  if (!isJsonObject(schema)) return schema;
  const { items, properties } = schema;
  if (shape.elements) return { ...schema, items: describeResponseMembers(items, shape.elements) };
  if (!isJsonObject(properties)) return schema;
  const own = Object.entries(properties).map(([name, member]) => {
    const inner = shape.members && Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
    return [name, inner ? describeResponseMembers(member, inner) : member];
  });
  const objects = Object.keys(shape.objects ?? {}).filter((name) => !Object.hasOwn(properties, name));
  const ignored = [...(shape.ignored ?? []), ...objects].map((name) => [name, ignoredMember]);
  return { ...schema, properties: Object.fromEntries([...own, ...ignored]) };
}

const ignoredMember = { description: "A member of responses, which is ignored.", deprecated: true };

/**
 * The JSON Schema (draft 2020-12) of a world file.
 *
 * @example
 * ```ts
 * const schema = worldJsonSchema() as { title: string };
 * schema.title; // => "edgeproof world"
 * ```
 */
export function worldJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(worldSchema, { io: "input" });
  return { $schema, title: "edgeproof world", ...(describeResponseMembers(schema) as object) };
}
