/**
 * A kind of resource as one table of its members. Requests, responses, the world file, imports and the page of members
 * derive from it.
 */
import * as z from "zod";

/** A letter case in which the service compares strings. */
export type LetterCase = "lower" | "upper" | readonly string[];

/** Where a resource has members: requests that create or change it, responses, and the world file. */
export type MemberPlace = "create" | "change" | "answer" | "world";

/** A member of a resource: its schema at each place, and what is known of it elsewhere. */
export interface Member extends Readonly<Record<MemberPlace, z.ZodType | "none">> {
  /** Its meaning; the description in schemas and pages. */
  readonly help: string;
  /** The value of a resource without it; undefined when it is required, or its absence means something. */
  readonly usual: unknown;
  /** Its other names in responses, saved files and Terraform. */
  readonly also: readonly string[];
  /** The object that has it in responses, saved files and Terraform; a world file has it one level higher. */
  readonly within: string | "none";
  /** Whether imports read it; others leave it out without a report. */
  readonly imported: boolean;
  /** Whether answers about requests depend on it, so that an unknown value makes them undecided. */
  readonly decisive: boolean;
  /** The letter case of strings by their place in the value, in which `*` is any element of an array. */
  readonly spelled: Readonly<Record<string, LetterCase>>;
}

type Members = Readonly<Record<string, Member>>;

/** A kind of resource. */
export interface Resource<M extends Members = Members> {
  /** Who has it. */
  readonly owner: "zone" | "account";
  /** Who chooses its id: `uuid` and `hex` (32 digits) are those of the service. */
  readonly ids: "uuid" | "hex" | "chosen";
  readonly members: M;
  /** Whether responses have a list of them as an object, by their ids. */
  readonly isById: boolean;
  /** Members of responses that configure nothing. */
  readonly answers: readonly string[];
  /** Members of saved files and Terraform that configure nothing, besides those of every kind. */
  readonly saved: readonly string[];
  /** The types of Terraform's resources. */
  readonly terraform: readonly string[];
}

type MemberOf<S extends z.ZodType, More> = {
  readonly [K in keyof Member]: K extends keyof More ? More[K] : K extends MemberPlace ? S : Member[K];
};

const shared = { also: [], within: "none", imported: true, decisive: true, spelled: {} } as const;

/**
 * An entry of a table.
 *
 * @param schema its value at the places that `more` does not name
 */
export function member<S extends z.ZodType, const More extends Partial<Member> = object>(
  help: string,
  schema: S,
  more?: More,
) {
  const usual = more?.world instanceof z.ZodDefault ? more.world.def.defaultValue : undefined;
  const places = { create: schema, change: schema, answer: schema, world: schema };
  return { ...shared, ...places, usual, ...more, help } as MemberOf<S, More>;
}

/** Of members that no request has. */
export const notGiven = { create: "none", change: "none" } as const;

/** Of members of something that every account has, so that no request creates it. */
export const notCreated = { create: "none" } as const;

const notInInterface = { ...notGiven, answer: "none", imported: false } as const;

/** The picture of a resource of a world file; the interface has it as a file of a form. */
export const pictureMembers = {
  image: member("The picture in base64, with or without a data URI.", z.string().optional(), notInInterface),
  image_path: member(
    "Instead of `image`: a path relative to the world file. Only the command line reads it.",
    z.string().optional(),
    notInInterface,
  ),
};

/** The table of a kind of resource; without `more`, users choose its ids, and all its members configure something. */
export function resource<const M extends Members>(
  owner: Resource["owner"],
  members: M,
  more: Partial<Omit<Resource, "owner" | "members">> = {},
): Resource<M> {
  return { ids: "chosen", isById: false, answers: [], saved: [], terraform: [], ...more, owner, members };
}

/** The names of the members of a resource by their other names. */
export function aliasesOf({ members }: Resource): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(members).flatMap(([name, { also }]) => also.map((alias) => [alias, name] as const)),
  );
}

/** The JSON Schema of values that the engine validates: a schema that accepts all publishes it. */
export function formatOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema, ...format } = z.toJSONSchema(schema, { io: "input" });
  return format;
}

type ShapeOf<M extends Members, P extends MemberPlace> = {
  [N in keyof M as M[N][P] extends z.ZodType ? N : never]: Extract<M[N][P], z.ZodType>;
};

/** The resources of a world file, by their schemas there; a schema with another description keeps its resource. */
const worldResources = z.registry<object>();

/** Notes that a schema of a world file is that of a resource. */
export function inWorld<S extends z.ZodType>(schema: S, resource: Resource): S {
  worldResources.add(schema, { resource });
  return schema;
}

/** The resource of a schema of a world file; undefined for other schemas. */
export function resourceOf(schema: z.core.$ZodType): Resource | undefined {
  return (worldResources.get(schema) as { readonly resource?: Resource } | undefined)?.resource;
}

/** The schema of a resource in a world file. */
export function worldSchemaOf<M extends Members>(resource: Resource<M>) {
  return inWorld(z.strictObject(shapeOf(resource, "world")), resource);
}

/** The schemas of the members that a resource has at a place, with their descriptions. */
export function shapeOf<M extends Members, P extends MemberPlace>(
  { members }: Resource<M>,
  place: P,
): ShapeOf<M, P> {
  const shape = Object.entries(members).flatMap(([name, { [place]: schema, help }]) =>
    schema === "none" ? [] : [[name, schema.meta({ description: help })]],
  );
  return Object.fromEntries(shape) as ShapeOf<M, P>;
}
