/** Leaves tokens and private keys out of a state that is passed on. */
import type { PlaygroundState } from "./link.ts";

/** Headers whose values are credentials, whatever their format, in lower case. */
const credentials: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie"]);

/** Whether a line is a header with a credential. */
function isCredential(line: string): boolean {
  const colon = line.indexOf(":");
  if (colon < 0) return false;
  const name = line.slice(0, colon).trim().toLowerCase();
  return credentials.has(name) || (/^[\w-]+$/.test(name) && /token|secret|api-?key/.test(name));
}

/** Replaces signed and unsigned tokens: their header is a JSON object, `{"` in base64url. */
function replaceTokens(text: string, replacement: string): string {
  return text.replace(/[\w-]+(?:\.[\w-]*)*/g, (run) => {
    const parts = run.split(".");
    for (let i = 0; i + 2 < parts.length; i++) {
      const start = (parts[i] as string).search(/\bey[\w-]/);
      if (start < 0 || parts[i + 1] === "") continue;
      // A token ends with its third part.
      parts.splice(i, 3, (parts[i] as string).slice(0, start) + replacement);
    }
    return parts.join(".");
  });
}

const pem = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

/** Private members of a JWK (RFC 7518, sections 6.2.2, 6.3.2 and 6.4.1) with a value as long as that of a key. */
const member = /"(?:d|p|q|dp|dq|qi|k)"\s*:\s*"[\w=+/-]{20,}"/;
const privateMember = new RegExp(`,\\s*${member.source}|${member.source}\\s*,?`, "g");

/** The same in YAML, Terraform and JSON with escapes; in a block of YAML the value can have several lines. */
const writtenMember =
  /((?:^|[\s{,])(["']?)(?:d|p|q|dp|dq|qi|k)\2[ \t]*[:=]\s*)(?:(["']?)[\w=+/\\-]{20,}|[>|][+-]?\s[\w=+/\s-]{20,})/g;

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
  const lines = headers.split("\n").filter((line) => !isCredential(line) && replaceTokens(line, "") === line);
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
  const rest = text.replace(pem, "").replace(privateMember, "").replace(writtenMember, "$1$3secret-left-out");
  return replaceTokens(rest, "token-left-out");
}
