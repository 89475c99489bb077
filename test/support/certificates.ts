/** A certificate authority of a test, and certificates of servers: X.509 v3 (RFC 5280) in DER, with P-256 keys. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** A certificate and its private key in PEM, as `node:https` accepts them. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

/** An authority that only a test trusts. */
export interface CertificateAuthority {
  /** The authority's own certificate in PEM. */
  readonly cert: string;
  /** A certificate for 127.0.0.1 and `localhost`. */
  issue(): ServerCertificate;
}

const tag = { integer: 2, bits: 3, octets: 4, oid: 6, utf8: 12, time: 24, sequence: 48, set: 49, boolean: 1 };

function der(type: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([type, ...size]), content]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(tag.sequence, ...parts);
const oid = (hex: string) => der(tag.oid, Buffer.from(hex, "hex"));
const bits = (content: Uint8Array) => der(tag.bits, Buffer.from([0]), content);
const time = (year: number) => der(tag.time, Buffer.from(`${year}0101000000Z`));

/** ecdsa-with-SHA256 (RFC 5758). */
const algorithm = sequence(oid("2a8648ce3d040302"));

function name(commonName: string): Buffer {
  return sequence(der(tag.set, sequence(oid("550403"), der(tag.utf8, Buffer.from(commonName)))));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), der(tag.boolean, Buffer.from([255])), der(tag.octets, value));
}

const isAuthority = extension("551d13", sequence(der(tag.boolean, Buffer.from([255]))));

/** subjectAltName: dNSName (context tag 2) and iPAddress (7). */
const hosts = extension(
  "551d11",
  sequence(der(0x82, Buffer.from("localhost")), der(0x87, Buffer.from([127, 0, 0, 1]))),
);

interface Subject {
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly extension: Buffer;
  readonly serial: number;
}

function certificate(
  { subject, publicKey, extension: own, serial }: Subject,
  issuer: string,
  key: KeyObject,
) {
  const body = sequence(
    der(0xa0, der(tag.integer, Buffer.from([2]))),
    der(tag.integer, Buffer.from([serial])),
    algorithm,
    name(issuer),
    sequence(time(2020), time(2099)),
    name(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(own)),
  );
  const whole = sequence(body, algorithm, bits(sign("sha256", body, key)));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

/** A new authority. */
export function certificateAuthority(subject = "edgeproof test authority"): CertificateAuthority {
  const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const self = { subject, publicKey: own.publicKey, extension: isAuthority, serial: 1 };
  return {
    cert: certificate(self, subject, own.privateKey),
    issue: () => {
      const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const server = { subject: "127.0.0.1", publicKey: pair.publicKey, extension: hosts, serial: 2 };
      return {
        cert: certificate(server, subject, own.privateKey),
        key: String(pair.privateKey.export({ type: "pkcs8", format: "pem" })),
      };
    },
  };
}
