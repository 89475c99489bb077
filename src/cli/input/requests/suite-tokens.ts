/** The member `token` of requests: tokens that are minted when the requests are read, with new keys in the world. */
import { profiles } from "../../../core/profiles.ts";
import type { TokenConfig } from "../../../engine/tokens/model.ts";
import { createPartNames, type PartNames } from "../../../engine/tokens/names/part-names.ts";
import { configOf } from "../../../engine/tokens/names/suite-names.ts";
import type { SuiteToken } from "../../../engine/tokens/suite/suite-token.ts";
import { parseTokenSource } from "../../../engine/tokens/zone/token-source.ts";
import type { ZoneInput } from "../../../engine/tokens/zone/zone-input.ts";
import { mintSuite, type RequestWithTokens } from "../../../testing/tokens/mint-suite.ts";
import { UsageError } from "../../command.ts";
import type { RequestLine, RequestToken } from "./requests-file.ts";

/** A request with its tokens as placeholders. */
interface LineWithTokens extends RequestWithTokens {
  readonly line: RequestLine;
}

/** The requests of one zone with their tokens, and the zone with the keys of these tokens. */
export interface MintedLines {
  readonly zone: ZoneInput;
  readonly lines: readonly RequestLine[];
}

/**
 * Mints the tokens of requests.
 *
 * @param nowOf returns the time of a request, in milliseconds since 1970
 * @throws {UsageError} when a token names a configuration or a key that the zone does not have
 */
export async function mintRequestTokens(
  zone: ZoneInput,
  lines: readonly RequestLine[],
  profile: keyof typeof profiles,
  nowOf: (line: RequestLine) => number,
): Promise<MintedLines> {
  if (lines.every(({ token }) => token === undefined)) return { zone, lines };
  const { clockToleranceSeconds } = profiles[profile];
  try {
    const names = createPartNames(zone);
    const requests = lines.map((line) => ({ ...placeTokens(line, zone, names), nowMs: nowOf(line) }));
    const minted = await mintSuite(zone, requests, { clockToleranceSeconds });
    const filled = minted.requests.map(({ line, request: { headers } }) => ({ ...line, headers }));
    return { zone: minted.zone, lines: filled as readonly RequestLine[] };
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`a token cannot be minted: ${error.message}`);
    throw error;
  }
}

/** Tokens without a placeholder are added to the first source of their configuration. */
function placeTokens(line: RequestLine, zone: ZoneInput, names: PartNames): LineWithTokens {
  const { method, url, headers = [], token = [] } = line;
  const pairs: [string, string][] = pairsOf(headers);
  const tokens = (Array.isArray(token) ? token : [token]).map((given, i): SuiteToken => {
    const config = requireConfig(given, zone, names);
    const key = config.credentials.keys.find(
      ({ kid, alg }) => (given.kid ?? kid) === kid && (given.alg ?? alg) === alg,
    );
    const placeholder = given.placeholder ?? `token-placeholder-${i}-`;
    if (given.placeholder === undefined) pairs.push(sourceHeader(config, placeholder));
    const { kid = key?.kid ?? "", alg = key?.alg ?? "", state } = given;
    return { placeholder, config: config.id, kid, alg, state, ...(given.claims && { claims: given.claims }) };
  });
  return { line, request: { method, url, headers: pairs }, tokens };
}

function requireConfig(
  { config: name }: RequestToken,
  { configs }: ZoneInput,
  names: PartNames,
): TokenConfig {
  const id = configOf(names, name);
  const config = configs.find((candidate) => candidate.id === id.toLowerCase());
  if (config !== undefined) return config;
  throw new RangeError(`There is no token configuration \`${id}\`.`);
}

function sourceHeader({ token_sources: [first = ""] }: TokenConfig, value: string): [string, string] {
  const source = parseTokenSource(first);
  if (source.ok && source.value.name === "http.request.cookies")
    return ["cookie", `${encodeURIComponent(source.value.key)}=${value}`];
  return [source.ok ? source.value.key : "authorization", `Bearer ${value}`];
}

function pairsOf(headers: NonNullable<RequestLine["headers"]>): [string, string][] {
  if (Array.isArray(headers)) return headers.map(([name, value]) => [name, value]);
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((element): [string, string] => [name, element]),
  );
}
