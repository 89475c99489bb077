/** Mints the tokens of `--as`, and adds their key to copies of the configurations. */
import type { ReplayOptions } from "../../import/replay/replay.ts";
import type { ReplayZone } from "../../import/replay/replay-zone.ts";
import { type MintedKey, mintKey, mintToken } from "../../testing/tokens/mint.ts";

/** The assumed states of tokens that a recording does not show. */
export const assumedStates = ["valid", "missing", "expired"] as const;

/** The assumed state of tokens that a recording does not show. */
export type AssumedState = (typeof assumedStates)[number];

/** Key id of the minted key; no issuer uses it. */
const keyId = "edgeproof-replay";

/** A time at which every token is expired, in seconds since 1970. */
const longAgo = 1;

/** The zones of a replay, with the assumed token and the key that it is signed with. */
export async function assumeTokens(
  state: AssumedState | undefined,
  zones: readonly ReplayZone[],
  against: readonly ReplayZone[] | undefined,
): Promise<Pick<ReplayOptions, "zones" | "against" | "assumed">> {
  if (state === undefined) return { zones, ...(against && { against }) };
  const key = await mintKey("ES256", keyId);
  const token =
    state === "missing" ? undefined : await mintToken(key, state === "valid" ? {} : { exp: longAgo });
  const withKey = (list: readonly ReplayZone[]) => list.map((zone) => addKey(zone, key));
  return { zones: withKey(zones), ...(against && { against: withKey(against) }), assumed: { token } };
}

function addKey(zone: ReplayZone, { jwk }: MintedKey): ReplayZone {
  const configs = zone.input.configs.map((config) => {
    return { ...config, credentials: { ...config.credentials, keys: [...config.credentials.keys, jwk] } };
  });
  return { ...zone, input: { ...zone.input, configs } };
}
