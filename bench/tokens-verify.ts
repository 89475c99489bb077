/**
 * Verification of one token: our synchronous verifier against the physical limit (`crypto.verify` alone, bytes
 * ready) and against fast-jwt; then a repeated token against fast-jwt's default cache, each time as a fresh string
 * cut out of a header value, as from a request.
 */

import {
  constants,
  createHmac,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";
import { type Algorithm, createJoseVerifier, createNodeVerifier, type JwtKey } from "edgeproof/tokens";
import { type Contest, measureAll, type Rows } from "./harness.ts";
import { createFastJwt } from "./peers/tokens.ts";

interface Subject {
  readonly name: string;
  readonly alg: Algorithm;
  readonly hash: string;
  /** The public key, or the shared secret. */
  readonly key: KeyObject;
  readonly jwk: JwtKey;
  readonly token: string;
}

const nowMs = Date.now();

/** The five claims that nearly every token has. */
const claims = {
  iss: "https://id.example.com/",
  sub: "user-0123456789",
  aud: "https://api.example.com",
  iat: Math.floor(nowMs / 1000),
  exp: Math.floor(nowMs / 1000) + 36_000,
};

/** Mints a key pair and a token with node's own functions. */
function mint(name: string, alg: Algorithm, size: number | string): Subject {
  const pair =
    typeof size === "number"
      ? generateKeyPairSync("rsa", { modulusLength: size })
      : generateKeyPairSync("ec", { namedCurve: size });
  return subjectOf(name, alg, pair.publicKey, (hash, input) =>
    sign(hash, input, { key: pair.privateKey, ...parameters(alg) }),
  );
}

/** A shared secret as long as the hash. */
function mintSecret(alg: Algorithm, bytes: number): Subject {
  const key = createSecretKey(randomBytes(bytes));
  return subjectOf(alg, alg, key, (hash, input) => createHmac(hash, key).update(input).digest());
}

function subjectOf(
  name: string,
  alg: Algorithm,
  key: KeyObject,
  signed: (hash: string, input: Buffer) => Buffer,
): Subject {
  const hash = `sha${alg.slice(2)}`;
  const kid = `key-${name}`;
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${encode({ alg, typ: "JWT", kid })}.${encode(claims)}`;
  const jwk = { ...key.export({ format: "jwk" }), alg, kid } as unknown as JwtKey;
  const signature = signed(hash, Buffer.from(input)).toString("base64url");
  return { name, alg, hash, key, jwk, token: `${input}.${signature}` };
}

function parameters(alg: Algorithm) {
  if (alg.startsWith("ES")) return { dsaEncoding: "ieee-p1363" } as const;
  if (alg.startsWith("RS")) return {};
  return { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
}

const subjects = [
  mint("RSA 2048 (RS256)", "RS256", 2048),
  mint("RSA 4096 (RS256)", "RS256", 4096),
  mint("ES256", "ES256", "P-256"),
  mint("ES384", "ES384", "P-384"),
  mintSecret("HS256", 32),
];

/** The limit: the signature check alone, everything decoded and imported before. */
function rawVerify(subject: Subject): () => boolean {
  const [header, payload, signature] = subject.token.split(".") as [string, string, string];
  const data = Buffer.from(`${header}.${payload}`);
  const bytes = Buffer.from(signature, "base64url");
  if (subject.key.type === "secret")
    return () => timingSafeEqual(createHmac(subject.hash, subject.key).update(data).digest(), bytes);
  const key = { key: subject.key, ...parameters(subject.alg) };
  return () => verify(subject.hash, data, key, bytes);
}

function fastJwt(subject: Subject, cache: boolean): (token: string) => unknown {
  const isSecret = subject.key.type === "secret";
  const key = isSecret ? subject.key.export() : subject.key.export({ format: "pem", type: "spki" });
  return createFastJwt({ key, algorithms: [subject.alg], ...(cache && { cache: true }) });
}

/** Fresh strings in turn, each cut out of its own header value. */
function freshTokens(token: string, copies = 512): () => string {
  const headers = Array.from({ length: copies }, () => Buffer.from(`Bearer ${token}`).toString("latin1"));
  let next = 0;
  return () => {
    next = (next + 1) % copies;
    return headers[next]!.slice("Bearer ".length);
  };
}

/** The cheaper a signature is, the more counts what surrounds it. */
const rawTargets: Readonly<Record<string, number>> = { "RSA 2048 (RS256)": 0.85, HS256: 0.3 };

function uncachedAgainstRaw(subject: Subject): Contest {
  const verifier = createNodeVerifier([subject.jwk], { cacheEntries: 0 });
  return {
    what: `${subject.name}: uncached, against crypto.verify alone`,
    ours: () => verifier.check(subject.token, nowMs),
    peer: rawVerify(subject),
    target: { atLeast: rawTargets[subject.name] ?? 0.94 },
  };
}

function uncachedAgainstFastJwt(subject: Subject): Contest {
  const verifier = createNodeVerifier([subject.jwk], { cacheEntries: 0 });
  const peer = fastJwt(subject, false);
  return {
    what: `${subject.name}: uncached, against fast-jwt without cache`,
    ours: () => verifier.check(subject.token, nowMs),
    peer: () => peer(subject.token),
    target: { atLeast: 1 },
  };
}

function repeatedAgainstFastJwt(subject: Subject): Contest {
  const verifier = createNodeVerifier([subject.jwk]);
  const peer = fastJwt(subject, true);
  const [fresh, freshPeer] = [freshTokens(subject.token), freshTokens(subject.token)];
  return {
    what: `${subject.name}: repeated token, against fast-jwt's default cache`,
    ours: () => verifier.check(fresh(), nowMs),
    peer: () => peer(freshPeer()),
    target: { atLeast: 10 },
  };
}

/** For the record of the default: one token at a time, and many in flight. */
function nodeAgainstJose(subject: Subject, inFlight: number): Contest {
  const node = createNodeVerifier([subject.jwk], { cacheEntries: 0 });
  const jose = createJoseVerifier([subject.jwk], { cacheEntries: 0 });
  const all = (check: () => unknown) => Promise.all(Array.from({ length: inFlight }, check));
  return {
    what: `${subject.name}: node verifier against jose verifier, ${inFlight} in flight`,
    ours: () => all(() => node.check(subject.token, nowMs)),
    peer: () => all(() => jose.check(subject.token, nowMs)),
    oursOps: inFlight,
    peerOps: inFlight,
  };
}

/** Throws for a verifier that does not verify. */
function proveValid(subject: Subject): void {
  const { reason, detail } = createNodeVerifier([subject.jwk]).check(subject.token, nowMs);
  if (reason !== "valid" || rawVerify(subject)() !== true)
    throw new Error(`${subject.name}: ${reason} ${detail}`);
}

export async function* benchTokensVerify(): Rows {
  subjects.forEach(proveValid);
  yield* measureAll([
    ...subjects.map(uncachedAgainstRaw),
    ...subjects.map(uncachedAgainstFastJwt),
    ...[subjects[0]!, subjects[2]!].map(repeatedAgainstFastJwt),
    ...subjects.flatMap((subject) => [nodeAgainstJose(subject, 1), nodeAgainstJose(subject, 64)]),
  ]);
}
