/** `edgeproof check`: everything that can be checked without a request. */
import { runCommand } from "../../core/text/run-command.ts";
import { choices, declare, file, flag, list, type OptionsOf, outFile, text } from "../declare.ts";
import { issuerOptions } from "../options/keys.ts";
import { acceptOptions, failOnOption, formatOptions, watchOption } from "../options/output.ts";
import {
  hostOption,
  partialOption,
  profileOption,
  sourceOption,
  worldOption,
  zonesOption,
} from "../options/world.ts";

/** The values of `--only`. */
const areas = ["tokens", "proxy", "brand", "images", "keys", "openapi"] as const;

/** The areas that `check` can be limited to. */
export type Area = (typeof areas)[number];

export const check = declare({
  name: "check",
  summary:
    "Check custom and token rules, proxy applications, domain queries and image variants, without any request.",
  about: [
    "Checks files without any request: the custom and token rules, proxy applications, domain queries and image variants of a world file, a Terraform plan or state, or a saved response of the interface; and files with one proxy application or an array of them, in the format of a request body (JSON, JSON with comments or YAML).",
    "Rules: expressions that are always true or always false, rules after a rule that always decides first, duplicate operands, unknown ids. Every finding holds for all possible requests; questions that are too large are undecided. Applications are checked as if they were created in order; checks that need facts about the account are reported as not evaluated, unless a world contains the facts.",
    "--openapi also compares the rules of a zone with an OpenAPI document (2.0, 3.0 or 3.1): for each documented operation, whether a request without a valid token gets through, shown with a request that the real engine confirms. --issuer or --jwks also compares the keys of a configuration with those of its issuer. Only --issuer opens a connection.",
    "A finding is accepted in the configuration file by the id in brackets, with a reason and maybe a last day, or beside it by a comment in YAML, JSONC or Terraform: `edgeproof-accept <rule> [until 2026-12-31]: <reason>`. Accepted findings are counted; what is undecided cannot be accepted.",
    "--fix changes only what it fixes: it removes nothing, and keeps the layout, the comments and the spelling of numbers.",
  ],
  arguments: {
    usage: "<file...>",
    min: 0,
    expected: "at least 1 file, or `-` for standard input",
    areFiles: true,
    from: "all worlds",
    unless: ["world"],
  },
  options: {
    only: choices(areas, areas.join("|"), "Check only this. May be repeated."),
    zone: { ...zonesOption.zone, help: "Only this zone; of applications in files, the zone of --world." },
    ...worldOption,
    ...profileOption,
    ...sourceOption,
    fix: flag("Apply all unambiguous fixes to the JSON files of applications."),
    openapi: file("An OpenAPI document, JSON or YAML, to compare with the rules."),
    ...hostOption,
    ignore: list(
      "x-name",
      "Leave out path items and operations of the document with this extension, unless it is false. May be repeated.",
    ),
    html: outFile("Also write a page with the matrix of operations and outcomes."),
    jwks: file("File with the keys of the issuer, instead of --issuer."),
    config: text("id", "Id or title of the configuration of the issuer. Default: the only one."),
    ...issuerOptions,
    baseline: file("Accept the findings of this file, which --write-baseline wrote."),
    "write-baseline": outFile(
      "Write the findings that are not accepted to a file, and accept them; --baseline is then not read.",
    ),
    ...formatOptions,
    ...failOnOption,
    ...acceptOptions,
    ...partialOption,
    ...watchOption,
  },
  exits: {
    0: "Something was checked, all of it was decided, and there is no finding of the level --fail-on.",
    1: "There is a finding, something is undecided, or nothing was checked.",
  },
  examples: [
    "edgeproof check world.json",
    "edgeproof check apps/*.json --world world.json --zone z1 --fix",
    "terraform show -json plan.bin > plan.json && edgeproof check plan.json --format sarif > plan.sarif",
    "edgeproof check world.json --openapi api.yaml --html audit.html",
    "edgeproof check world.json --write-baseline baseline.json",
    "edgeproof check world.json --only keys --issuer https://login.example.com/realms/shop",
  ],
  schema: "check",
  conflict: ({ only, fix, watch, world, openapi, issuer, jwks }, files) => {
    if (files.length === 0 && world === undefined)
      return `\`file\` is missing: pass at least one file, such as \`${runCommand} check plan.json\`, or \`-\` for standard input; after \`${runCommand} init\` the files of the folder are checked without names`;
    if (fix && watch) return "--fix changes the files that --watch waits for; use one of the two";
    if (fix && files.includes("-")) return "--fix writes files; it cannot fix standard input";
    if (issuer !== undefined && jwks !== undefined)
      return `expected an issuer or a file; found both: --issuer and \`${jwks}\``;
    if (only.includes("openapi") && openapi === undefined) return "--only openapi needs --openapi";
    if (only.includes("keys") && (issuer ?? jwks) === undefined)
      return "--only keys needs --issuer or --jwks";
    return undefined;
  },
});

/** The values of the options of `check`. */
export type CheckValues = OptionsOf<typeof check>;
