/** Replaces keys of a world by those that the tokens of requests need. */
import { type Profile, profiles } from "../../../core/profiles.ts";
import { checkZone } from "../../../engine/tokens/zone/zone.ts";
import { zoneInput } from "../../../service/world/rulesets/world-zones.ts";
import type { World } from "../../../service/world/schema.ts";
import { parseValidParts } from "../../../service/world/valid-parts.ts";
import type { RequestLine } from "./requests-file.ts";
import { mintRequestTokens } from "./suite-tokens.ts";
import { zonesOf } from "./zone-of.ts";

/** The requests with their tokens, and the world with the keys of these tokens. */
export interface MintedWorld {
  readonly world: World;
  readonly requests: readonly RequestLine[];
}

/** The options of the command line, and the time of a request. */
interface MintOptions {
  readonly options: { readonly profile: Profile | undefined; readonly zone: string | undefined };
  readonly nowOf: (line: RequestLine) => number;
}

/** Without tokens to mint, and for zones with problems, nothing changes. */
export async function mintForWorld(
  world: World,
  requests: readonly RequestLine[],
  { options, nowOf }: MintOptions,
): Promise<MintedWorld> {
  if (requests.every(({ token }) => token === undefined)) return { world, requests };
  const parsed = parseValidParts(world, () => {});
  if (!parsed.ok) return { world, requests };
  const profile = options.profile ?? parsed.value.world.profile ?? "spec";
  const { sharedSecrets } = profiles[profile];
  const ids = zonesOf(requests, world, options.zone);
  const filled = [...requests];
  const zones = [...(world.zones ?? [])];
  for (const [i, zone] of (parsed.value.world.zones ?? []).entries()) {
    const own = requests.flatMap((line, j) => (ids[j] === zone.id ? [{ line, index: j }] : []));
    const { token_validation: validation } = zone;
    const given = zones[i];
    if (validation === undefined || given?.token_validation === undefined) continue;
    const input = zoneInput(validation);
    if (checkZone(input, { sharedSecrets }).length > 0) continue;
    const lines = own.map(({ line }) => line);
    const minted = await mintRequestTokens(input, lines, profile, nowOf);
    for (const [k, { index }] of own.entries()) filled[index] = minted.lines[k] as RequestLine;
    const configs = (given.token_validation.configs ?? []).map((config, k) => {
      const keys = minted.zone.configs[k]?.credentials.keys ?? [];
      return { ...config, credentials: { ...config.credentials, keys: [...keys] } };
    });
    zones[i] = { ...given, token_validation: { ...given.token_validation, configs } } as typeof given;
  }
  return { world: { ...world, zones }, requests: filled };
}
