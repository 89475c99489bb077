/** The names of the members that a schema allows at a path, for messages about unknown members. */
import * as z from "zod";

/** The members of the object at a path; none when the schema has no object there. */
export function memberNames(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  return [...new Set(objectsAt(schema, path).flatMap(({ shape }) => Object.keys(shape)))];
}

/** Several where alternatives have objects at the path. */
function objectsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly z.ZodObject[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return objectsAt(schema.unwrap(), path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => objectsAt(option, path));
  const [name, ...rest] = path;
  if (schema instanceof z.ZodArray) return name === undefined ? [] : objectsAt(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  if (name === undefined) return [schema];
  const member = Object.hasOwn(schema.shape, name) ? schema.shape[String(name)] : undefined;
  return member === undefined ? [] : objectsAt(member, rest);
}
