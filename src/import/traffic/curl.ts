/**
 * Reads curl commands, one or more requests each, as browsers copy them and people write them (`observed`: the manual of
 * curl 8). Commands are never run, and files that they name are never read.
 */

import { base64Text, utf8Bytes } from "#bytes";
import { isUrl, readUrl } from "../../core/idna/url.ts";
import { type CurlOption, hasValue, optionByLetter, optionByName } from "./curl-options.ts";
import {
  completeRecording,
  type RecordedRequest,
  type Recording,
  type RejectedRecord,
  type Silence,
  type TrafficSink,
} from "./recorded-request.ts";
import { type ShellCommand, type ShellWord, splitCommands } from "./shell-words.ts";

/** The options of one request; `--next` starts another one. */
interface Options {
  method: string | undefined;
  /** Set by options that send a body, or none. */
  impliedMethod: string | undefined;
  readonly headers: ShellWord[];
  readonly cookies: string[];
  readonly data: string[];
  /** Whether a part of the body is not in the command: files, forms, shell expansions. */
  hasUnknownBody: boolean;
  readonly query: string[];
  readonly urls: ShellWord[];
  /** Headers of other options, which `-H` overrides. */
  readonly defaults: Map<string, string>;
  readonly exceptions: Map<string, Silence>;
  cookieSilence: Silence;
  headerSilence: Silence;
  isGet: boolean;
  globoff: boolean;
  fault: string | undefined;
}

/** Reads a text of curl commands; other commands are rejected. */
export function readCurl(text: string, sink: TrafficSink): void {
  for (const command of splitCommands(text)) readCommand(command, sink);
}

/** The requests of the words after `curl`, of which a shell has expanded each. */
export function readCurlWords(words: readonly string[]): readonly (RecordedRequest | RejectedRecord)[] {
  const found: (RecordedRequest | RejectedRecord)[] = [];
  const add = (record: RecordedRequest | RejectedRecord) => void found.push(record);
  const given = words.map((text) => ({ text, expands: false }));
  readRequests(given, 1, { request: add, rejected: add, skipped: () => {} });
  return found;
}

/** The names under which curl is called; `$` is a copied prompt. */
const programName = /^(?:.*[\\/])?curl(?:\.exe)?$/;

function readCommand(command: ShellCommand, sink: TrafficSink): void {
  const { line, words, unclosed } = command;
  const given = words[0]?.text === "$" ? words.slice(1) : words;
  if (unclosed) sink.rejected({ position: line, reason: "a quote is not closed" });
  else if (programName.test(given[0]?.text ?? "")) readRequests(given.slice(1), line, sink);
  else sink.rejected({ position: line, reason: "the command is not curl" });
}

function readRequests(words: readonly ShellWord[], line: number, sink: TrafficSink): void {
  for (const options of parseRequests(words)) {
    const requests = options.fault === undefined ? requestsOf(options, line) : options.fault;
    if (typeof requests === "string") sink.rejected({ position: line, reason: requests });
    else for (const request of requests) sink.request(request);
  }
}

function startOptions(): Options {
  return {
    method: undefined,
    impliedMethod: undefined,
    headers: [],
    cookies: [],
    data: [],
    hasUnknownBody: false,
    query: [],
    urls: [],
    defaults: new Map(),
    exceptions: new Map(),
    cookieSilence: "absent",
    headerSilence: "absent",
    isGet: false,
    globoff: false,
    fault: undefined,
  };
}

function parseRequests(words: readonly ShellWord[]): Options[] {
  const requests = [startOptions()];
  const queue = [...words];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    const current = requests.at(-1) as Options;
    for (const [option, value] of optionsOf(word, queue)) {
      if (option === "next") requests.push(startOptions());
      else applyOption(current, option, value);
    }
  }
  return requests;
}

const missingValue: ShellWord = { text: "", expands: false };

/** The options of a word, with the value from the rest of the word or from the next one. */
function optionsOf(word: ShellWord, queue: ShellWord[]): [CurlOption, ShellWord][] {
  const { text } = word;
  if (!text.startsWith("-") || text === "-") return [["url", word]];
  if (text.startsWith("--")) {
    const option = optionByName(text.slice(2));
    return [[option, hasValue(option) ? (queue.shift() ?? missingValue) : missingValue]];
  }
  const options: [CurlOption, ShellWord][] = [];
  for (let i = 1; i < text.length; i++) {
    const option = optionByLetter(text.charAt(i));
    if (!hasValue(option)) options.push([option, missingValue]);
    else {
      const rest = text.slice(i + 1);
      options.push([option, rest === "" ? (queue.shift() ?? missingValue) : { ...word, text: rest }]);
      break;
    }
  }
  return options;
}

/** The effect of each option. */
const effects: Readonly<Partial<Record<CurlOption, (options: Options, value: ShellWord) => void>>> = {
  method: (options, { text, expands }) => {
    options.method = text;
    if (expands) options.fault = "the method has a shell expansion, and commands are not run";
  },
  header: (options, value) => {
    if (value.text.startsWith("@")) readsHeaderFile(options);
    else options.headers.push(value);
  },
  cookie: (options, { text }) => {
    if (text.includes("=")) options.cookies.push(text);
    else options.cookieSilence = "stripped";
  },
  data: (options, value) => addData(options, value),
  "data-urlencode": (options, value) => {
    options.hasUnknownBody ||= /^[^=]*@/.test(value.text);
    addBody(options, { ...value, text: encodeData(value.text) });
  },
  json: (options, value) => {
    // Several are joined without `&`, which is not worth a second list.
    options.hasUnknownBody ||= options.data.length > 0;
    addData(options, value);
    options.defaults.set("content-type", "application/json");
    options.defaults.set("accept", "application/json");
  },
  user: (options, value) => {
    const credentials = value.text.includes(":") ? value.text : `${value.text}:`;
    addCredentials(options, value, `Basic ${base64Text(utf8Bytes(credentials))}`);
  },
  bearer: (options, value) => addCredentials(options, value, `Bearer ${value.text}`),
  head: (options) => {
    options.impliedMethod = "HEAD";
  },
  get: (options) => {
    options.isGet = true;
  },
  url: (options, value) => {
    options.urls.push(value);
  },
  "url-query": (options, { text }) => {
    options.query.push(encodeData(text));
  },
  "user-agent": (options, { text }) => {
    options.defaults.set("user-agent", text);
  },
  referer: (options, { text }) => {
    options.defaults.set("referer", text.replace(/;auto$/, ""));
  },
  upload: (options) => {
    options.impliedMethod = "PUT";
    options.hasUnknownBody = true;
  },
  form: (options) => {
    options.impliedMethod ??= "POST";
    options.hasUnknownBody = true;
  },
  globoff: (options) => {
    options.globoff = true;
  },
  config: (options) => {
    options.fault = "options are in a file (`--config`), which is not read";
  },
};

function applyOption(options: Options, option: CurlOption, value: ShellWord): void {
  effects[option]?.(options, value);
}

function readsHeaderFile(options: Options): void {
  options.headerSilence = "stripped";
  options.cookieSilence = "stripped";
}

/** `@name` is a file, which is not read. */
function addData(options: Options, value: ShellWord): void {
  const isFile = value.text.startsWith("@");
  options.hasUnknownBody ||= isFile;
  addBody(options, isFile ? { ...value, text: "" } : value);
}

function addBody(options: Options, { text, expands }: ShellWord): void {
  options.data.push(text);
  options.hasUnknownBody ||= expands;
  options.impliedMethod ??= "POST";
}

function addCredentials(options: Options, { expands }: ShellWord, value: string): void {
  if (expands) options.exceptions.set("authorization", "stripped");
  else options.defaults.set("authorization", value);
}

/** `name=content` and `content`, with the content encoded; content of a file is left out. */
function encodeData(text: string): string {
  const [, name = "", content = ""] = /^([^=@]*=)?([\s\S]*)$/.exec(text) ?? [];
  if (name === "" && text.includes("@")) return "";
  const value = encodeURIComponent(content.toWellFormed());
  return name === "=" ? value : name + value;
}

function requestsOf(options: Options, line: number): readonly RecordedRequest[] | string {
  if (options.urls.length === 0) return "the command has no URL";
  const requests: RecordedRequest[] = [];
  for (const word of options.urls) {
    const url = urlOf(word, options);
    if ("fault" in url) return url.fault;
    requests.push(createRequest(url.url, options, line));
  }
  return requests;
}

function urlOf({ text, expands }: ShellWord, options: Options): { url: string } | { fault: string } {
  if (expands) return { fault: "the URL has a shell expansion, and commands are not run" };
  const guessed = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!options.globoff && /[{}]|\[(?![0-9a-f]*:)/i.test(guessed))
    return {
      fault: "curl expands `{}` and `[]` in the URL; write the requests one by one, or add --globoff",
    };
  if (!/^https?:/i.test(guessed) || !isUrl(guessed))
    return { fault: "the URL is not an absolute http or https URL" };
  return { url: withQuery(guessed, [...options.query, ...(options.isGet ? options.data : [])]) };
}

function withQuery(url: string, parts: readonly string[]): string {
  const added = parts.filter((part) => part !== "").join("&");
  if (added === "") return url;
  const [base = "", fragment] = url.split("#", 2);
  const joined = `${base}${base.includes("?") ? "&" : "?"}${added}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

function createRequest(url: string, options: Options, line: number): RecordedRequest {
  const { headers, recording } = headersOf(options, url);
  const { method, impliedMethod, isGet, data, hasUnknownBody } = options;
  const implied = isGet && impliedMethod === "POST" ? undefined : impliedMethod;
  return {
    name: `line ${line}`,
    position: line,
    method: method ?? implied ?? "GET",
    url,
    headers,
    recording,
    ...(data.length > 0 && !isGet && !hasUnknownBody && { given: { body: data.join("&") } }),
  };
}

/** Default headers unless `-H` sets or removes them, then those of `-H`. */
function headersOf(options: Options, url: string): { headers: [string, string][]; recording: Recording } {
  const exceptions = new Map(options.exceptions);
  const own = options.headers.flatMap((word) => readHeader(word, exceptions));
  const named = new Set(own.map(({ name }) => name.toLowerCase()));
  const cookie: [string, string][] =
    options.cookies.length > 0 ? [["cookie", options.cookies.join("; ")]] : [];
  const form: [string, string][] =
    options.data.length > 0 && !options.isGet ? [["content-type", "application/x-www-form-urlencoded"]] : [];
  const others: [string, string][] = [
    ["host", readUrl(url)?.host ?? ""],
    ["accept", "*/*"],
    ...form,
    ...cookie,
  ];
  const defaults = new Map([...others, ...options.defaults]);
  const headers: [string, string][] = [...defaults].filter(([name]) => !named.has(name));
  for (const { name, value } of own) if (value !== undefined) headers.push([name, value]);
  // The version of curl is not in the command.
  if (!named.has("user-agent") && !defaults.has("user-agent")) exceptions.set("user-agent", "stripped");
  return { headers, recording: createRecording(options, exceptions, named) };
}

function createRecording(
  options: Options,
  exceptions: ReadonlyMap<string, Silence>,
  named: ReadonlySet<string>,
): Recording {
  const cookiesKnown = named.has("cookie") && exceptions.get("cookie") === undefined;
  return {
    ...completeRecording,
    headers: options.headerSilence,
    cookies: cookiesKnown ? "absent" : (exceptions.get("cookie") ?? options.cookieSilence),
    exceptions,
  };
}

/** `name: value`; `name;` is an empty value, and `name:` removes the header. One with an expansion is stripped. */
function readHeader(
  { text, expands }: ShellWord,
  exceptions: Map<string, Silence>,
): { name: string; value: string | undefined }[] {
  const [, name, mark, rest = ""] = /^([^:;]+)([:;])([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined || (mark === ";" && rest.trim() !== "")) return [];
  const value = rest.trim();
  if (expands) {
    exceptions.set(name.trim().toLowerCase(), "stripped");
    return [{ name: name.trim(), value: undefined }];
  }
  return [{ name: name.trim(), value: mark === ":" && value === "" ? undefined : value }];
}
