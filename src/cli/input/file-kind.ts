/** Recognizes files of other kinds that were given where a world file is expected. */

import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { runCommand } from "../../core/text/run-command.ts";
import { shellWord } from "../../core/text/shell-word.ts";

interface FileKind {
  /** Whether an object has the marks of this kind. */
  readonly has: (value: JsonObject) => boolean;
  /** Noun phrase with its article. */
  readonly name: string;
  /** The words of the command to run instead, with `FILE` for the name of the file. */
  readonly run: string;
}

const isArray = Array.isArray;

/** Kinds with distinctive members first. */
const kinds: readonly FileKind[] = [
  {
    has: (value) => typeof (value["openapi"] ?? value["swagger"]) === "string",
    name: "an OpenAPI document",
    run: "world from FILE --out world.json",
  },
  {
    has: (value) =>
      typeof value["format_version"] === "string" || typeof value["terraform_version"] === "string",
    name: "a Terraform plan or state",
    run: "world from FILE --out world.json",
  },
  {
    has: (value) => typeof value["success"] === "boolean" && Object.hasOwn(value, "result"),
    name: "a saved response of the interface",
    run: "world from FILE --out world.json",
  },
  {
    has: (value) => isArray(value["keys"]) || typeof value["kty"] === "string",
    name: "a set of keys",
    run: "world keys FILE",
  },
  {
    has: ({ log }) => isJsonObject(log) && isArray(log["entries"]),
    name: "an HTTP archive",
    run: "replay --world world.json FILE",
  },
  {
    has: (value) => Object.hasOwn(value, "protocol") && Object.hasOwn(value, "dns"),
    name: "a proxy application",
    run: "check FILE",
  },
  {
    has: ({ url }) => typeof url === "string",
    name: "a request",
    run: "eval --world world.json --requests FILE",
  },
];

/** Where the members of a zone belong. */
const zoneHint =
  'it looks like the token validation of a zone; a world file has it at `zones[0].token_validation`: `{"zones": [{"id": "z1", "token_validation": {...}}]}`';

/** The kind of a value and the command to run, as a clause; undefined for a value that may be a world. */
export function describeOtherKind(value: unknown, file: string): string | undefined {
  const first: unknown = isArray(value) ? value[0] : value;
  if (!isJsonObject(first) || isWorld(first)) return undefined;
  const kind = kinds.find(({ has }) => has(first));
  if (kind) {
    const what = isArray(value) ? `a list that begins with ${kind.name}` : kind.name;
    return `it looks like ${what}; run \`${runCommand} ${kind.run.replace("FILE", () => shellWord(file))}\``;
  }
  return isArray(first["configs"]) || isArray(first["rules"]) ? zoneHint : undefined;
}

function isWorld(value: JsonObject): boolean {
  return ["zones", "accounts", "api_tokens"].some((name) => Object.hasOwn(value, name));
}
