/** The names of generated requests: tokens, method, address, the values that rules read, and the decision. */

import { cutMiddle } from "../../../core/text/cut-middle.ts";
import { isSecretName, maskAddress, maskHeader, maskText } from "../../../core/text/secrets.ts";
import type { PlainRequest } from "../analysis/requests/concretize.ts";
import { createPartNames, type NamedParts, type PartNames } from "../names/part-names.ts";
import type { Decision } from "../verdict/decision.ts";
import type { ReadZone } from "../zone/zone-input.ts";
import { describeState } from "./requirements/requirements.ts";
import type { SuiteToken } from "./suite-token.ts";

/** Maximum length of an address in a name, in code units. */
const maxAddress = 80;

/** Maximum length of a value in a name, in code units. */
const maxValue = 32;

/** Maximum number of values in a name. */
const maxValues = 4;

/** A name that starts with the parts in which requests of a suite differ: the tokens, then the method and the address. */
export function nameOfRequest(
  zone: ReadZone,
  request: PlainRequest,
  tokens: readonly SuiteToken[],
  { action, rule, logged }: Decision,
): string {
  const { rules, configs } = namesOf(zone);
  const others = logged.filter((id) => id !== rule).map(rules.shortNameOf);
  return [
    ...tokens.map(({ config, state }) => {
      const owner = zone.configs.length > 1 ? ` of ${configs.shortNameOf(config)}` : "";
      return `${describeState(state)} token${owner}, `;
    }),
    requestInWords(request, tokens),
    `: ${action}`,
    rule === undefined ? "" : ` by ${rules.shortNameOf(rule)}`,
    others.length > 0 ? `, logged by ${others.join(", ")}` : "",
  ].join("");
}

const known = new WeakMap<ReadZone, PartNames>();

/** The names of the parts of a zone. */
export function namesOf(zone: ReadZone): PartNames {
  const names = known.get(zone) ?? createPartNames(partsOf(zone));
  known.set(zone, names);
  return names;
}

function partsOf({ configs, rules, custom }: ReadZone): NamedParts {
  const { entries, executable } = custom?.rulesets ?? { entries: {}, executable: new Map() };
  const lists = [entries.account, entries.zone, ...executable.values()];
  return {
    configs: configs.map(({ id, title, keys }) => ({
      id,
      ...(title !== undefined && { title }),
      credentials: { keys },
    })),
    rules: rules.map(({ rule }) => rule),
    rulesets: lists.flatMap((list) => list?.ruleset ?? []),
  };
}

/** The members of a request that only custom rules read. */
export const givenMembers = ["ip", "httpVersion", "body", "challengePassed", "fields"] as const;

/** Method, address, and what else the request has beside its tokens: the values that are not those of every request. */
function requestInWords(request: PlainRequest, tokens: readonly SuiteToken[]): string {
  const { method, url, headers, ip, httpVersion, body, challengePassed, fields = {} } = request;
  const isToken = (value: string) => tokens.some(({ placeholder }) => value.includes(placeholder));
  const given = new Set([
    ...headers.flatMap(([name, value]) => (isToken(value) ? [] : [stated(name, maskHeader(name, value))])),
    ...(httpVersion === undefined ? [] : [stated("version", httpVersion)]),
    ...(body === undefined || body === "" ? [] : [stated("body", body)]),
    ...Object.entries(fields).flatMap(([name, value]) => (isUsual(value) ? [] : [stated(name, value)])),
    ...(challengePassed === true ? ["a passed challenge"] : []),
  ]);
  const shown = given.size > maxValues ? [...[...given].slice(0, maxValues - 1), "others"] : [...given];
  const from = ip === undefined ? "" : ` from ${ip}`;
  const has = shown.length === 0 ? "" : ` with ${shown.join(", ")}`;
  return `${method} ${cutMiddle(maskAddress(url), maxAddress)}${from}${has}`;
}

/** Whether a value is that of fields that matter to no decision. */
function isUsual(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false;
}

function stated(name: string, value: unknown): string {
  if (isSecretName(name)) return name;
  const printed = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const text = /^[!-~]*$/.test(printed) ? printed : JSON.stringify(printed);
  return `${name}=${cutMiddle(maskText(text), maxValue)}`;
}
