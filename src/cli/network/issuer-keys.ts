/** The options that name where the keys of an issuer are, and the keys. */
import { rootCertificates } from "node:tls";
import { parseJsonSource } from "../../core/json-source.ts";
import { algorithmsOf } from "../../engine/tokens/jwt/keys/algorithms.ts";
import type { RsaAlgorithm } from "../../engine/tokens/model.ts";
import { type IssuerKeys, keysFromJwks } from "../../import/keys/keys-from-jwks.ts";
import { isPem, pemBlocks } from "../../import/keys/pem.ts";
import {
  booleanOption,
  type CommandInput,
  choiceOption,
  type Io,
  stringOption,
  UsageError,
} from "../command.ts";
import { readTextInput, standardInput } from "../input/files.ts";
import { printPlace } from "../output/places.ts";
import { type DiscoveredKeys, discoverKeys } from "./discovery.ts";

export const issuerOptions = {
  issuer: {
    type: "string",
    value: "url",
    help: "Fetch the keys of this issuer: its /.well-known/openid-configuration, then the key set that this names. https only.",
  },
  ca: {
    type: "string",
    value: "file",
    help: "PEM certificates of authorities to trust in addition to Node's own. NODE_EXTRA_CA_CERTS works too, without this option.",
  },
  "fetch-private": {
    type: "boolean",
    help: "Fetch from loopback and private addresses too. Default: only from the public internet.",
  },
  "default-alg": {
    type: "string",
    value: algorithmsOf("RSA").join("|"),
    help: "The algorithm of RSA keys without `alg`. Default: the only one that the issuer names, else RS256.",
  },
  kid: { type: "string", value: "kid", help: "The `kid` of a key that has none, such as one in PEM." },
} as const;

/** The keys of a source. */
export interface SourceKeys extends IssuerKeys {
  /** The file, or the address of the key set. */
  readonly source: string;
  /** The issuer; absent for a file. */
  readonly issuer?: string;
}

/** @throws {UsageError} when both or none of issuer and file are given, or neither can be read */
export async function readIssuerKeys(
  input: CommandInput,
  file: string | undefined,
  io: Io,
): Promise<SourceKeys> {
  const issuer = stringOption(input, "issuer");
  if (issuer !== undefined && file !== undefined)
    throw new UsageError(`expected an issuer or a file; found both: --issuer and \`${file}\``);
  if (issuer !== undefined) return ofIssuer(issuer, input, io);
  if (file !== undefined) return ofFile(file, input, io);
  throw new UsageError("expected --issuer <url> or a file with keys; found neither");
}

async function ofIssuer(given: string, input: CommandInput, io: Io): Promise<SourceKeys> {
  const own = keyOptions(input);
  const ca = await readAuthorities(stringOption(input, "ca"), io);
  io.handleSignals?.();
  const allow = booleanOption(input, "fetch-private") ? () => true : undefined;
  const found: DiscoveredKeys = await discoverKeys(given, { allow, ca, signal: io.signal });
  const defaultAlg = own.defaultAlg ?? found.onlyRsaAlgorithm;
  const keys = keysFromJwks(found.jwks, { ...own, ...(defaultAlg && { defaultAlg }) });
  return { ...keys, source: found.jwksUri, issuer: found.issuer };
}

async function ofFile(path: string, input: CommandInput, io: Io): Promise<SourceKeys> {
  const own = keyOptions(input);
  const source = path === standardInput ? "standard input" : path;
  const text = (await readTextInput(path, io)).replace(/^\ufeff/, "");
  if (isPem(text) && !/^\s*[[{"]/.test(text)) return { ...keysFromJwks(text, own), source };
  const parsed = parseJsonSource(text, source);
  if (parsed.ok) return { ...keysFromJwks(parsed.value.value, own), source };
  const [{ at, message }] = parsed.problems;
  throw new UsageError(`${printPlace(at)}: the text is neither JSON nor PEM: ${message}`);
}

function keyOptions(input: CommandInput): { defaultAlg?: RsaAlgorithm; kid?: string } {
  const kid = stringOption(input, "kid");
  const isGiven = stringOption(input, "default-alg") !== undefined;
  const names = algorithmsOf("RSA") as readonly RsaAlgorithm[];
  return {
    ...(isGiven && { defaultAlg: choiceOption(input, "default-alg", names, "RS256") }),
    ...(kid !== undefined && { kid }),
  };
}

async function readAuthorities(path: string | undefined, io: Io): Promise<readonly string[] | undefined> {
  if (path === undefined) return undefined;
  const blocks = pemBlocks(await readTextInput(path, io)).filter(({ label }) => label === "CERTIFICATE");
  if (blocks.length === 0) throw new UsageError(`--ca: ${path} must have a certificate in PEM; it has none`);
  return [...rootCertificates, ...blocks.map(({ text }) => text)];
}
