/** The JSON Schema of a configuration file, made of the table of commands and options. */
import type { Command, Option } from "../declare.ts";
import { findingId } from "../output/report/acceptance/finding-ids.ts";
import { acceptedMembers } from "./accepted.ts";
import { argumentsMember, worldName } from "./config-file.ts";
import { configurable, isSwitch, meaningsOf, sharedOptions } from "./members.ts";

type Schema = Readonly<Record<string, unknown>>;

const paths = {
  anyOf: [
    { type: "string", minLength: 1 },
    { type: "array", minItems: 1, items: { type: "string", minLength: 1 } },
  ],
} as const;

/** The JSON Schema (draft 2020-12) of a configuration file. */
export function configJsonSchema(all: readonly Command[]): object {
  const commands = configurable(all);
  const names = definitionNames(commands);
  const definition = (name: string, { read }: Option<unknown>) => ({
    $ref: `#/$defs/${names.get(read)?.[name] ?? name}`,
  });
  const byCommand = commands.map((command) => [command.name, commandSchema(command, definition)] as const);
  const shared = [...sharedOptions(commands)].map(
    ([name, { option }]) => [name, definition(name, option)] as const,
  );
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "edgeproof configuration file",
    ...strictObject({
      $schema: { type: "string" },
      worlds: {
        description:
          "Worlds by name: a file, a folder, a pattern such as `infra/*.json`, or a list of them. Terraform files and saved responses in one list are one deployment.",
        type: "object",
        propertyNames: { pattern: worldName.source },
        additionalProperties: paths,
      },
      suites: { description: "Files of requests, or patterns, for `eval` and `suite mutate`.", ...paths },
      options: {
        description: "Options of all commands that share them.",
        ...strictObject(Object.fromEntries(shared)),
      },
      commands: { description: "Options by command.", ...strictObject(Object.fromEntries(byCommand)) },
      accepted: {
        description: "Findings of `check` that are accepted.",
        type: "array",
        items: {
          ...strictObject({
            id: { description: acceptedMembers.id, type: "string", pattern: findingId.source },
            reason: { description: acceptedMembers.reason, type: "string", minLength: 1 },
            until: { description: acceptedMembers.until, type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
          }),
          required: ["id", "reason"],
        },
      },
    }),
    $defs: definitions(commands, names),
  };
}

function strictObject(properties: Schema): Schema {
  return { type: "object", properties, additionalProperties: false };
}

/** The names of definitions, by the function that reads the option: options with one meaning are defined once. */
type DefinitionNames = ReadonlyMap<unknown, Readonly<Record<string, string>>>;

function definitionNames(commands: readonly Command[]): DefinitionNames {
  const names = new Map<unknown, Record<string, string>>();
  for (const [name, meanings] of meaningsOf(commands)) {
    for (const [i, { option }] of meanings.entries())
      names.set(option.read, { ...names.get(option.read), [name]: i === 0 ? name : `${name}-${i + 1}` });
  }
  return names;
}

function definitions(commands: readonly Command[], names: DefinitionNames): Schema {
  const entries = [...meaningsOf(commands)].flatMap(([name, meanings]) =>
    meanings
      .filter(({ option }) => option.notInFile === undefined)
      .map(({ option }) => [names.get(option.read)?.[name] ?? name, optionSchema(option)] as const),
  );
  return Object.fromEntries(entries);
}

function commandSchema(
  { arguments: accepted, options }: Command,
  definition: (name: string, option: Option<unknown>) => Schema,
): Schema {
  const members = Object.entries(options)
    .filter(([, { notInFile }]) => notInFile === undefined)
    .map(([name, option]) => [name, definition(name, option)] as const);
  const files = accepted?.areFiles && {
    [argumentsMember]: { description: `Files: ${accepted.usage}.`, ...paths },
  };
  return strictObject({ ...Object.fromEntries(members), ...files });
}

function optionSchema(option: Option<unknown>): Schema {
  const { help: description } = option;
  if (isSwitch(option)) return { description, type: "boolean" };
  // Words with a path are more than the choices.
  const isClosed = option.choices && !option.mapPaths;
  const scalar = isClosed ? { enum: option.choices } : { type: ["string", "number"] };
  const values = [
    scalar,
    ...(option.implied === undefined ? [] : [{ type: "boolean" }]),
    ...(option.isList ? [{ type: "array", items: scalar }] : []),
  ];
  return { description, ...(values.length === 1 ? scalar : { anyOf: values }) };
}
