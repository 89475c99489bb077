/** Leaves tokens and private keys out of a state that is passed on. */
import type { PlaygroundState } from "./link.ts";

/** Headers whose values are credentials, whatever their format. */
const credentials =
  /^\s*(?:authorization|proxy-authorization|cookie|[\w-]*(?:token|secret|api-?key)[\w-]*)\s*:/i;

/** A signed or an unsigned token: its header is a JSON object, `{"` in base64url. */
const jwt = /\bey[\w-]+\.[\w-]+\.[\w-]*/g;

const pem = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

/** Private members of a JWK (RFC 7518, sections 6.2.2, 6.3.2 and 6.4.1) with a value as long as that of a key. */
const member = /"(?:d|p|q|dp|dq|qi|k)"\s*:\s*"[\w=+/-]{20,}"/;
const privateMember = new RegExp(`,\\s*${member.source}|${member.source}\\s*,?`, "g");

/** The state without them. */
export function withoutSecrets({
  rules,
  before,
  request,
  keys: _,
  claims,
  ...state
}: PlaygroundState): PlaygroundState {
  const { url, headers, body, fields, ...others } = request;
  const lines = headers.split("\n").filter((line) => !credentials.test(line) && line.search(jwt) < 0);
  const { application } = state;
  return {
    ...state,
    rules: clean(rules),
    before: clean(before),
    request: {
      ...others,
      url: clean(url),
      headers: lines.join("\n"),
      ...(body !== undefined && { body: clean(body) }),
      ...(fields && { fields: cleanFields(fields) }),
    },
    ...(claims && { claims: { ...claims, others: clean(claims.others) } }),
    ...(application && { application: { text: clean(application.text), facts: clean(application.facts) } }),
  };
}

function cleanFields(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, clean(text)]));
}

function clean(text: string): string {
  return text.replace(pem, "").replace(privateMember, "").replace(jwt, "token-left-out");
}
