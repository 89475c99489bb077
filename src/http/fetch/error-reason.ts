/** Why a request failed, in words. */

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "the host name has no address",
  EAI_AGAIN: "the host name cannot be looked up now",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed before the response was complete",
  HPE_HEADER_OVERFLOW: "the header of the response is too large",
};

/** Codes of certificates whose authority is not trusted. */
const untrusted: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** The reason of an error of a request: a clause without a full stop. */
export function errorReason(error: unknown): string {
  const { code = "", message = String(error) } = error as NodeJS.ErrnoException;
  if (untrusted.has(code)) return `the certificate is not signed by a trusted authority (${message})`;
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  if (reason !== undefined) return reason;
  return code.startsWith("HPE_") ? `the response is not HTTP (${code})` : message;
}
