/** `edgeproof check` and the commands that it takes over: lint, audit, keys check. */
import { declare, file, flag, list, required, text } from "../declare.ts";
import { issuerConflict, issuerOptions } from "../options/keys.ts";
import { acceptOptions, failOnOption, formatOptions, watchOption } from "../options/output.ts";
import {
  hostOption,
  importOptions,
  partialOption,
  profileOption,
  sourceOption,
  worldMeaning,
  worldOption,
  zonesOption,
} from "../options/world.ts";

export const check = declare({
  name: "check",
  summary: "Analyze the token rules of a world: constant expressions, rules that never decide, unknown ids.",
  about: [
    "Analyzes the rules of each zone without any request: expressions that are always true or always false, rules after a rule that always decides first, duplicate operands, unknown ids, empty selectors. Every finding holds for all possible requests; questions that are too large are reported as undecided.",
  ],
  arguments: { usage: "<world.json | plan.json>", min: 1, max: 1, expected: "1 world file" },
  options: {
    ...zonesOption,
    ...formatOptions,
    ...failOnOption,
    ...acceptOptions,
    ...watchOption,
    ...profileOption,
    ...importOptions,
    ...sourceOption,
    ...partialOption,
  },
  exits: {
    0: "There are no errors and no warnings.",
    1: "There is at least one error or warning.",
    2: "A file or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof check world.json",
    "terraform show -json plan.bin > plan.json && edgeproof check plan.json --format sarif > plan.sarif",
    "edgeproof check world.json --profile provider --json",
    "edgeproof check world.json --format sarif > rules.sarif",
  ],
  schema: "check",
});

export const lint = declare({
  name: "lint",
  summary: "Check proxy applications without creating them.",
  about: [
    "A file contains one application or an array of them, in the format of a request body (JSON, JSON with comments or YAML), or is a Terraform plan or state, a saved response of the interface, or a world file. Each violation is reported with its error code, its position in the file and a fix. The applications of all files are checked as if they were created in order. Checks that need facts about the account are reported as not evaluated, unless a world file contains the facts.",
    "--fix changes only what it fixes: it removes nothing, and keeps the layout, the comments and the spelling of numbers.",
  ],
  arguments: { usage: "<file...>", min: 1, expected: "at least 1 file, or `-` for standard input" },
  options: {
    ...sourceOption,
    ...worldOption,
    zone: text("id", "Zone of the applications. Default: the world's only zone."),
    ...formatOptions,
    ...failOnOption,
    ...acceptOptions,
    ...watchOption,
    fix: flag("Apply all unambiguous fixes to the JSON files."),
    ...profileOption,
  },
  exits: {
    0: "There is no violation.",
    1: "There is a violation that was not fixed.",
    2: "A file or an option cannot be used; standard error says why.",
  },
  examples: [
    "edgeproof lint app.json",
    "edgeproof lint apps/*.json --world world.json --zone z1 --format sarif",
    "edgeproof lint plan.json --format sarif > plan.sarif",
    "edgeproof lint app.json --fix",
    "cat app.json | edgeproof lint -",
  ],
  schema: "lint",
  conflict: ({ fix, watch, world, zone }, files) => {
    if (fix && watch) return "--fix changes the files that --watch waits for; use one of the two";
    if (fix && files.includes("-")) return "--fix writes files; it cannot fix standard input";
    if (zone !== undefined && world === undefined) return "--zone needs a world file; pass one with --world";
    return undefined;
  },
});

export const audit = declare({
  name: "audit",
  summary: "Compare an OpenAPI document with the token rules of a zone: protected, logged, unprotected.",
  about: [
    "Compares an OpenAPI document (2.0, 3.0 or 3.1, JSON or YAML) with the token rules of a zone. For each documented operation it says whether a request without a valid token gets through (protected, only logged, unprotected), whether a public operation is blocked, and whether the zone knows the operation. The answer covers all possible requests, not samples; each contradiction is shown with a request that the real engine confirms.",
    "It also reports security schemes whose header or cookie is no token source, parts of the document that were left out, and operations of the zone that the document lacks. References to other files and to the network are never followed.",
  ],
  options: {
    openapi: required(file("The OpenAPI document, JSON or YAML."), "it must name an OpenAPI document"),
    ...worldOption,
    world: required(worldOption.world, worldMeaning),
    zone: text("id", "The zone. Default: the only one with token validation."),
    ...hostOption,
    ignore: list(
      "x-name",
      "Leave out path items and operations with this extension, unless it is false. May be repeated.",
    ),
    html: file("Also write a page with the matrix of operations and outcomes."),
    ...formatOptions,
    ...acceptOptions,
    ...watchOption,
    ...partialOption,
    ...profileOption,
  },
  exits: {
    0: "Every operation that the document secures is protected.",
    1: "At least one is not, or it is undecided.",
    2: "A file or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof audit --openapi api.yaml --world world.json",
    "edgeproof audit --openapi api.yaml --world world.json --ignore x-internal --format sarif > audit.sarif",
    "edgeproof audit --openapi api.json --world world.json --host api.example.com --html audit.html",
  ],
  schema: "audit",
});

export const keysCheck = declare({
  name: "keys check",
  summary: "Compare the keys of a configuration with those of its issuer.",
  about: [
    "Reports keys that the issuer has and the configuration lacks, whose tokens will fail after the next rotation; keys that the issuer no longer publishes; other keys under the same id; limits.",
  ],
  options: {
    ...issuerOptions,
    ...worldOption,
    world: required(worldOption.world, worldMeaning),
    config: text("id", "Id or title of the configuration. Default: the only one of the world."),
    jwks: file("File with the keys of the issuer, instead of --issuer."),
    ...formatOptions,
  },
  exits: {
    0: "There are no findings.",
    1: "There are findings.",
    2: "A file, a document of the issuer or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof keys check --world world.json --issuer https://login.example.com/realms/shop",
    "edgeproof keys check --world world.json --config Web --jwks jwks.json --format junit",
  ],
  schema: "keys",
  conflict: ({ issuer, jwks }) => issuerConflict(issuer, jwks),
});
