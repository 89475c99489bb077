/** `edgeproof world`: its subcommands, which make a world file and its keys. */
import { runCommand } from "../../core/text/run-command.ts";
import {
  choice,
  declare,
  flag,
  integer,
  list,
  notInFile,
  paths,
  required,
  shortFor,
  text,
  usual,
} from "../declare.ts";
import { issuerConflict, issuerOptions } from "../options/keys.ts";
import { hostOption, importOptions, madeWorldOptions } from "../options/world.ts";

export const worldFrom = declare({
  name: "world from",
  summary: "Make a world file from Terraform files or saved responses of the interface.",
  about: [
    "Reads Terraform plans, states and test records, saved responses of the interface, key files (JWK Sets, PEM), and OpenAPI documents; the format of each file is detected. Standard error has what was accepted, dropped (with its place) and derived (with the reason). What no file decides is reported, with what to run; nothing is guessed, and no world is written without --partial. Identical files make an identical world.",
    "--terraform-mock prints a test file with which Terraform resolves every expression with a mocked provider, without credentials.",
  ],
  arguments: {
    usage: "[file...]",
    min: 0,
    expected: "files",
    areFiles: true,
    from: "only world",
    unless: ["from", "terraform-mock"],
  },
  options: {
    from: paths(list("file", "A file to read; the same as an argument.")),
    ...importOptions,
    ...hostOption,
    "terraform-mock": flag("Print `edgeproof.tftest.hcl`, and explain its two traps."),
    ...madeWorldOptions,
  },
  exits: {
    0: "The world is complete, or incomplete with --partial.",
    1: "Something is undecided, or no resource was accepted; no world is written, and standard error says what to run.",
    2: "A file or an option is invalid, or a file is a response with an error; standard error says why.",
  },
  examples: [
    "terraform show -json plan.bin > plan.json && edgeproof world from plan.json --out world.json",
    "edgeproof world from zone.json rules.json configs.json operations.json --out world.json",
    "edgeproof world from terraform.tfstate --zone-name 0da42c8d2132a9ddaf714f9e7c920711=example.com",
    "edgeproof world from --terraform-mock > edgeproof.tftest.hcl",
  ],
  schema: "world",
  conflict: ({ from, terraformMock, out }, words) => {
    const paths = [...from, ...words];
    if (terraformMock) return mockConflict(paths, out);
    if (paths.length === 0)
      return `expected at least 1 file; found 0: \`${runCommand} world from plan.json\``;
    if (paths.filter((path) => path === "-").length > 1)
      return "`-` may be given once: standard input is one file";
    const repeated = paths.find((path, i) => paths.indexOf(path) !== i);
    return repeated && `the file ${repeated} is given twice`;
  },
});

/** The test file is the same for every configuration. */
function mockConflict([path]: readonly string[], out: string | undefined): string | undefined {
  const found = path === undefined ? out && `--out ${out}` : `the file ${path}`;
  return (
    found &&
    `--terraform-mock reads no file and prints to standard output; found ${found}: \`${runCommand} world from --terraform-mock > edgeproof.tftest.hcl\``
  );
}

/** The provider's address (`observed`). */
const defaultBaseUrl = "https://api.cloudflare.com/client/v4";

/** The name of the variable is that of the provider's own tools (`observed`). */
export const tokenVariable = "CLOUDFLARE_API_TOKEN";

export const worldPull = declare({
  name: "world pull",
  summary: "Read the configuration of a zone from the interface, as a world file.",
  about: [
    `Sends GET requests only, with the API token of the environment variable ${tokenVariable}; an option for it does not exist, since other users can see command lines. Reads the zone with its token configurations, rules, operations and proxy applications, and the image variants and brand queries of its account. A part that could not be read is undecided, and no world is written without --partial.`,
    "Standard error has what was read, undecided, dropped and derived. The world has the profile `provider`.",
  ],
  options: {
    zone: required(
      text("name or id", "The zone: its domain, or its id."),
      "it must be the domain or id of a zone",
    ),
    "base-url": notInFile(
      usual(
        text("url", `Address of the interface; plain http only on loopback. Default: ${defaultBaseUrl}.`),
        defaultBaseUrl,
      ),
      "is where the API token of the environment is sent",
    ),
    "with-secrets": flag("Read the signing keys of images too. They are in the output in plain text."),
    "max-wait": usual(
      integer(
        "seconds",
        { min: 0, max: 3_600 },
        "Longest time to wait when the interface asks for it (`retry-after`). Default: 60.",
      ),
      60,
    ),
    ...madeWorldOptions,
  },
  exits: {
    0: "The world is complete, or incomplete with --partial.",
    1: "A part could not be read, or something is undecided; no world is written, and standard error says why.",
    2: "The zone cannot be read, an option is invalid, or the command was stopped; no world is written.",
  },
  examples: [
    "edgeproof world pull --zone example.com --out world.json",
    "edgeproof world pull --zone 023e105f4ecef8ad9ca31a8372d0c353 --base-url http://127.0.0.1:8787/client/v4",
  ],
  schema: "pull",
});

export const worldKeys = declare({
  name: "world keys",
  summary: "Read the keys of an issuer, for a configuration of a world.",
  about: [
    "Reads the keys of an issuer (by discovery, or from a file with a JWK Set, a JWK, `{ kid: PEM }` or PEM) and prints those that a configuration can have, as its `credentials`. Standard error says for each other key why it was dropped, and what was filled in.",
  ],
  arguments: { usage: "[file]", min: 0, max: 1, expected: "at most 1 file", areFiles: true },
  options: {
    ...issuerOptions,
    format: usual(
      choice(["text", "json"], "Credentials, or everything that was found, for programs. Default: text."),
      "text",
    ),
    json: shortFor("format", "json"),
  },
  exits: {
    0: "At least one key was accepted.",
    1: "No key was accepted, or the set has a private key, two keys of the same id, or too many.",
    2: "A file, a document of the issuer or an option is invalid; standard error says why.",
  },
  examples: [
    "edgeproof world keys jwks.json",
    "edgeproof world keys --issuer https://login.example.com/realms/shop > credentials.json",
  ],
  schema: "keys",
  conflict: ({ issuer }, [path]) => issuerConflict(issuer, path),
});
