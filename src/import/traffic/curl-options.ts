/** The options of curl that matter for a request, and which others are followed by a value. */

/** The effect of an option on the request. */
export type CurlOption =
  | "method"
  | "header"
  | "cookie"
  | "data"
  | "data-urlencode"
  | "json"
  | "user"
  | "bearer"
  | "head"
  | "get"
  | "url"
  | "url-query"
  | "user-agent"
  | "referer"
  | "upload"
  | "form"
  | "next"
  | "globoff"
  | "config"
  | "value"
  | "flag";

const flags: ReadonlySet<CurlOption> = new Set(["head", "get", "next", "globoff", "flag"]);

/** Whether the option is followed by a value. */
export function hasValue(option: CurlOption): boolean {
  return !flags.has(option);
}

const byName: ReadonlyMap<string, CurlOption> = new Map<string, CurlOption>([
  ["request", "method"],
  ["header", "header"],
  ["cookie", "cookie"],
  ["data", "data"],
  ["data-ascii", "data"],
  ["data-binary", "data"],
  ["data-raw", "data"],
  ["data-urlencode", "data-urlencode"],
  ["json", "json"],
  ["user", "user"],
  ["oauth2-bearer", "bearer"],
  ["head", "head"],
  ["get", "get"],
  ["url", "url"],
  ["url-query", "url-query"],
  ["user-agent", "user-agent"],
  ["referer", "referer"],
  ["upload-file", "upload"],
  ["form", "form"],
  ["form-string", "form"],
  ["next", "next"],
  ["globoff", "globoff"],
  ["config", "config"],
]);

const byLetter: ReadonlyMap<string, CurlOption> = new Map<string, CurlOption>([
  ["X", "method"],
  ["H", "header"],
  ["b", "cookie"],
  ["d", "data"],
  ["u", "user"],
  ["I", "head"],
  ["G", "get"],
  ["A", "user-agent"],
  ["e", "referer"],
  ["T", "upload"],
  ["F", "form"],
  [":", "next"],
  ["g", "globoff"],
  ["K", "config"],
]);

/** Other options that are followed by a value (`observed`: the manual of curl 8). */
const namesWithValue: ReadonlySet<string> = new Set(
  `abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers connect-timeout connect-to continue-at
  cookie-jar create-file-mode crlfile curves delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url
  dump-header egd-file engine etag-compare etag-save expect100-timeout happy-eyeballs-timeout-ms hsts interface
  ip-tos ipfs-gateway keepalive-cnt keepalive-time key key-type limit-rate local-port mail-auth mail-from mail-rcpt
  max-filesize max-redirs max-time netrc-file noproxy output output-dir parallel-max pass pinnedpubkey preproxy proto
  proto-default proto-redir proxy proxy-cacert proxy-cert proxy-header proxy-key proxy-user quote random-file range
  rate resolve retry retry-delay retry-max-time service-name socks4 socks4a socks5 socks5-hostname speed-limit
  speed-time stderr telnet-option time-cond tls-max tls13-ciphers trace trace-ascii trace-config unix-socket variable
  vlan-priority write-out request-target`.split(/\s+/),
);

const lettersWithValue: ReadonlySet<string> = new Set("CDEmocPQrtUwxyYz");

/** The option with a name such as `header` (after `--`). */
export function optionByName(name: string): CurlOption {
  return byName.get(name) ?? (namesWithValue.has(name) ? "value" : "flag");
}

/** The option with a letter such as `H` (after `-`). */
export function optionByLetter(letter: string): CurlOption {
  return byLetter.get(letter) ?? (lettersWithValue.has(letter) ? "value" : "flag");
}
