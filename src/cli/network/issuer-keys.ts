/** The options that name where the keys of an issuer are, and the keys. */
import { rootCertificates } from "node:tls";
import { parseJsonSource } from "../../core/json-source.ts";
import type { RsaAlgorithm } from "../../engine/tokens/model.ts";
import { isPublicOrPrivateAddress } from "../../http/fetch/public-address.ts";
import { type IssuerKeys, keysFromJwks } from "../../import/keys/keys-from-jwks.ts";
import { isPem, pemBlocks } from "../../import/keys/pem.ts";
import { type Io, UsageError } from "../command.ts";
import type { ValuesOf } from "../declare.ts";
import { readTextInput } from "../input/files.ts";
import type { issuerOptions } from "../options/keys.ts";
import { printPlace } from "../output/places.ts";
import { standardInput } from "../standard-input.ts";
import { type DiscoveredKeys, discoverKeys } from "./discovery.ts";

type IssuerValues = ValuesOf<typeof issuerOptions>;

/** The keys of a source. */
export interface SourceKeys extends IssuerKeys {
  /** The file, or the address of the key set. */
  readonly source: string;
  /** The issuer; absent for a file. */
  readonly issuer?: string;
}

/**
 * The keys of the issuer, or of a file.
 *
 * @param file given when no issuer is
 * @throws {UsageError} when it cannot be read
 */
export async function readIssuerKeys(
  options: IssuerValues,
  file: string | undefined,
  io: Io,
): Promise<SourceKeys> {
  const { issuer } = options;
  return issuer === undefined ? ofFile(file ?? standardInput, options, io) : ofIssuer(issuer, options, io);
}

async function ofIssuer(given: string, options: IssuerValues, io: Io): Promise<SourceKeys> {
  const own = keyOptions(options);
  const ca = await readAuthorities(options.ca, io);
  io.handleSignals?.();
  const allow = options.fetchPrivate ? isPublicOrPrivateAddress : undefined;
  const found: DiscoveredKeys = await discoverKeys(given, { allow, ca, signal: io.signal });
  const defaultAlg = own.defaultAlg ?? found.onlyRsaAlgorithm;
  const keys = keysFromJwks(found.jwks, { ...own, ...(defaultAlg && { defaultAlg }) });
  return { ...keys, source: found.jwksUri, issuer: found.issuer };
}

async function ofFile(path: string, options: IssuerValues, io: Io): Promise<SourceKeys> {
  const own = keyOptions(options);
  const source = path === standardInput ? "standard input" : path;
  const text = (await readTextInput(path, io)).replace(/^\ufeff/, "");
  if (isPem(text) && !/^\s*[[{"]/.test(text)) return { ...keysFromJwks(text, own), source };
  const parsed = parseJsonSource(text, source);
  if (parsed.ok) return { ...keysFromJwks(parsed.value.value, own), source };
  const [{ at, message }] = parsed.problems;
  throw new UsageError(`${printPlace(at)}: the text is neither JSON nor PEM: ${message}`);
}

function keyOptions({ kid, defaultAlg }: IssuerValues): { defaultAlg?: RsaAlgorithm; kid?: string } {
  return { ...(defaultAlg !== undefined && { defaultAlg }), ...(kid !== undefined && { kid }) };
}

async function readAuthorities(path: string | undefined, io: Io): Promise<readonly string[] | undefined> {
  if (path === undefined) return undefined;
  const blocks = pemBlocks(await readTextInput(path, io)).filter(({ label }) => label === "CERTIFICATE");
  if (blocks.length === 0) throw new UsageError(`--ca: ${path} must have a certificate in PEM; it has none`);
  return [...rootCertificates, ...blocks.map(({ text }) => text)];
}
