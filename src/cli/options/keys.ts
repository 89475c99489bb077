/** Options that name where keys and secrets are. */
import type { RsaAlgorithm } from "../../engine/tokens/model.ts";
import { choice, file, flag, notInFile, text } from "../declare.ts";

const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
] as const satisfies readonly RsaAlgorithm[];

export const issuerOptions = {
  issuer: text(
    "url",
    "Fetch the keys of this issuer: its /.well-known/openid-configuration, then the key set that this names. https only.",
  ),
  ca: file(
    "PEM certificates of authorities to trust in addition to Node's own. NODE_EXTRA_CA_CERTS works too, without this option.",
  ),
  "fetch-private": flag(
    "Fetch from loopback and private addresses too. Default: only from the public internet.",
  ),
  "default-alg": choice(
    algorithms,
    "The algorithm of RSA keys without `alg`. Default: the only one that the issuer names, else RS256.",
  ),
  kid: text("kid", "The `kid` of a key that has none, such as one in PEM."),
};

/** The message unless exactly one of an issuer and a file is given. */
export function issuerConflict(issuer: string | undefined, path: string | undefined): string | undefined {
  if (issuer === undefined && path === undefined)
    return "expected --issuer <url> or a file with keys; found neither";
  if (issuer === undefined || path === undefined) return undefined;
  return `expected an issuer or a file; found both: --issuer and \`${path}\``;
}

/** The options of the secret `--key`. */
export const keyOptions = {
  key: notInFile(
    text(
      "value",
      "Value of one of the account's signing keys; `-` reads it from standard input. Other users can see command lines: prefer `-` or --key-env.",
    ),
    "is a secret",
  ),
  "key-env": text("variable", "Name of the environment variable that holds the value of --key."),
};
