/** Keys that are made on the page of the playground, and tokens that they sign. Private keys stay in its tab. */
import { algorithmNames, isAlgorithm } from "../../engine/tokens/jwt/keys/algorithms.ts";
import { alternatives, quote } from "../../errors.ts";
import { type MintedKey, mintKey, mintToken } from "../../testing/tokens/mint.ts";
import { printPrivateKey, readPrivateKey } from "../../testing/tokens/private-keys.ts";
import type { DataCall, DataEndpoints } from "../data/data-endpoint.ts";
import { objectBody, requestField, stringField } from "../data/fields.ts";
import { RequestFault } from "../guard/request-fault.ts";
import type { ZoneView } from "../messages.ts";
import type { PlaygroundKey, SignedToken } from "../playground-messages.ts";
import { withToken } from "../requests/read-paste.ts";
import { viewOfDraftZone } from "../requests/zone-view.ts";
import { saveKey } from "./change-text.ts";
import { readClaims } from "./claims.ts";
import { type RulesEdge, requireZone } from "./rules-edge.ts";

type KeyCall = DataCall<RulesEdge>;

/** Rows of the table of endpoints. */
export const keyEndpoints: DataEndpoints<RulesEdge> = {
  "key/create": { method: "POST", handle: create },
  "key/add": { method: "POST", handle: add },
  "token/sign": { method: "POST", handle: sign },
};

async function create({ body }: KeyCall): Promise<PlaygroundKey> {
  const given = objectBody(body);
  const [alg, kid] = [stringField(given, "alg"), stringField(given, "kid").trim()];
  if (!isAlgorithm(alg))
    throw new RequestFault(400, `\`alg\` must be ${alternatives(algorithmNames)}; found ${quote(alg)}.`);
  if (kid === "") throw new RequestFault(400, "The key needs an id (`kid`), which tokens name.");
  return { alg, kid, jwk: await printPrivateKey(await mintKey(alg, kid)) };
}

/** Adds the public key to a configuration, or to a new one, in place of one with the same `kid` and `alg`. */
async function add({ edge, body }: KeyCall): Promise<ZoneView> {
  const given = objectBody(body);
  const id = stringField(given, "zone");
  const { jwk } = await keyField(stringField(given, "key"));
  const config = stringField(given, "config");
  return viewOfDraftZone(id, await edge.change(id, (zone) => saveKey(edge.text, zone, config, jwk)));
}

/** Signs a token, and puts it where the configuration looks for it. */
async function sign({ edge, body }: KeyCall): Promise<SignedToken> {
  const given = objectBody(body);
  const zone = await requireZone(edge.text, stringField(given, "zone"));
  const key = await keyField(stringField(given, "key"));
  const token = await mintToken(key, readClaims(given, edge.tokens.drafts.now()));
  const config = zone.input.configs.find((candidate) => candidate.id === stringField(given, "config"));
  const sources = (config ?? zone.input.configs[0])?.token_sources ?? [];
  return { token, request: withToken(token, { request: requestField(given), sources }) };
}

/** @throws {RequestFault} when it is not a private key */
async function keyField(text: string): Promise<MintedKey> {
  try {
    return await readPrivateKey(text);
  } catch (error) {
    throw new RequestFault(400, (error as Error).message);
  }
}
