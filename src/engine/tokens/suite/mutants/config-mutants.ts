/** Changes of one configuration: its sources, its keys, and their algorithms. */

import { quote } from "../../../../errors.ts";
import { algorithmsOf } from "../../jwt/keys/algorithms.ts";
import { secretProblem } from "../../jwt/keys/key-material.ts";
import type { Algorithm, HmacAlgorithm, JwtKey } from "../../model.ts";
import type { TokenSource } from "../../zone/token-source.ts";
import type { ReadConfig, ReadZone } from "../../zone/zone-input.ts";
import type { DescribedChange } from "./change.ts";

/** Changes of a configuration. */
export type ConfigChanges = (config: ReadConfig, zone: ReadZone) => readonly DescribedChange<ReadConfig>[];

/** Each source removed, each two sources exchanged, and each source of another configuration added first and last. */
export const sourceChanges: ConfigChanges = (config, { configs }) => {
  const { sources } = config;
  const changeTo = (list: readonly TokenSource[], description: string): DescribedChange<ReadConfig> => {
    return { change: { ...config, sources: list }, at: "/token_sources", description };
  };
  const own = new Set(sources.map(({ text }) => text));
  const others = new Map(
    configs.flatMap((other) =>
      other.sources.filter(({ text }) => !own.has(text)).map((source) => [source.text, source]),
    ),
  );
  return [
    ...sources.map((source, i) =>
      changeTo(sources.toSpliced(i, 1), `the source ${quote(source.text)} is removed`),
    ),
    ...sources.flatMap((later, i) =>
      sources.slice(0, i).map((earlier, j) => {
        const description = `the sources ${quote(earlier.text)} and ${quote(later.text)} are exchanged`;
        return changeTo(sources.with(j, later).with(i, earlier), description);
      }),
    ),
    ...[...others.values()].flatMap((source) => [
      changeTo([source, ...sources], `the source ${quote(source.text)} is added as the first one`),
      changeTo([...sources, source], `the source ${quote(source.text)} is added as the last one`),
    ]),
  ];
};

/** Each key removed, and each key of another configuration added. */
export const keyChanges: ConfigChanges = (config, { configs }) => {
  const { keys } = config;
  const changeTo = (list: readonly JwtKey[], description: string): DescribedChange<ReadConfig> => {
    return { change: { ...config, keys: list }, at: "/credentials/keys", description };
  };
  const others = new Map(configs.flatMap((other) => other.keys.map((key) => [nameOf(key), key])));
  for (const key of keys) others.delete(nameOf(key));
  return [
    // A configuration without keys is invalid.
    ...(keys.length > 1 ? keys : []).map((key, i) =>
      changeTo(keys.toSpliced(i, 1), `the key ${nameOf(key)} is removed`),
    ),
    ...[...others].map(([name, key]) => changeTo([...keys, key], `the key ${name} is added`)),
  ];
};

/** Each other algorithm of an RSA key, and of a secret that is long enough; that of an EC key follows from its curve. */
export const algorithmChanges: ConfigChanges = (config) => {
  const names = new Set(config.keys.map(nameOf));
  return config.keys.flatMap((key, i) => {
    const others = algorithmsOf(key.kty).filter((alg) => alg !== key.alg && canVerify(key, alg));
    return others
      .map((alg) => ({ ...key, alg }) as JwtKey)
      .filter((other) => !names.has(nameOf(other)))
      .map((other) => ({
        change: { ...config, keys: config.keys.with(i, other) },
        at: `/credentials/keys/${i}/alg`,
        description: `the algorithm of the key ${nameOf(key)} becomes \`${other.alg}\``,
      }));
  });
};

function canVerify(key: JwtKey, alg: Algorithm): boolean {
  if (key.kty === "oct") return secretProblem(alg as HmacAlgorithm, key.k) === undefined;
  return key.kty === "RSA";
}

/** Unique in a configuration. */
function nameOf({ kid, alg }: JwtKey): string {
  return `${quote(kid)} (${alg})`;
}
