/**
 * Names of rules, rulesets and configurations by what stays the same when the service gives them other ids: a title, a
 * `ref`, a description, a position (`chosen`). A name is valid for the one part that has all of its members.
 */

import { addTo, groupBy } from "../../../core/groups.ts";
import { hasGivenId } from "../../../core/text/uuid.ts";
import { quote } from "../../../errors.ts";
import type { JwtKey, TokenConfig, TokenRule } from "../model.ts";
import { isTelling } from "../name-with-title.ts";
import { type CustomRule, customPhase, type Ruleset, type RulesetKind } from "../rulesets/model.ts";

/** The name of a ruleset. */
export interface RulesetName {
  /** `zone` and `root` are the entry points of the zone and of its account. */
  readonly kind?: RulesetKind | undefined;
  /** Its display name. */
  readonly name?: string | undefined;
}

/** The name of a rule: with `ref`, `description` or `ruleset` that of a custom rule, else that of a token rule. */
export interface RuleName {
  /** The title of a token rule. */
  readonly title?: string | undefined;
  /** The hosts that the selector of a token rule includes, in any order. */
  readonly hosts?: readonly string[] | undefined;
  /** The `ref` of a custom rule. */
  readonly ref?: string | undefined;
  /** The description of a custom rule. */
  readonly description?: string | undefined;
  /** The ruleset of a custom rule, by id or name. */
  readonly ruleset?: string | RulesetName | undefined;
  /** The position among the token rules, or in the ruleset, from 1. */
  readonly position?: number | undefined;
}

/** The name of a token configuration. */
export interface ConfigName {
  /** Its title. */
  readonly title?: string | undefined;
  /** The `kid` of one of its keys. */
  readonly kid?: string | undefined;
  /** The position among the configurations, from 1. */
  readonly position?: number | undefined;
}

/** The zone whose parts have names. */
export interface NamedParts {
  readonly configs: readonly (Pick<TokenConfig, "id" | "title"> & {
    readonly credentials: { readonly keys: readonly Pick<JwtKey, "kid">[] };
  })[];
  readonly rules: readonly (Pick<TokenRule, "id" | "title"> & Partial<Pick<TokenRule, "selector">>)[];
  readonly rulesets?: readonly Ruleset[] | undefined;
  readonly account_rulesets?: readonly Ruleset[] | undefined;
}

/** One kind of part: both ways between its ids and its names. */
export interface Names<N> {
  /** The name of the part with an id; the id itself when no name is unique, or when there is not one such part. */
  readonly nameOf: (id: string) => string | N;
  /** The same in a few words for people: the title where no other part has it, or an id that a person chose. */
  readonly shortNameOf: (id: string) => string;
  /** The short name with the kind of part, as a sentence has it: rule `Guard`, or custom rule 2 of the zone. */
  readonly phraseOf: (id: string) => string;
  /** The id of the part with a name, or why there is none; of an id, the id itself. */
  readonly find: (name: string | N) => Found;
}

/** An id, or that a name is not that of one part. */
export type Found = { readonly id: string } | { readonly problem: string };

/** The names of the parts of a zone. */
export interface PartNames {
  readonly configs: Names<ConfigName>;
  readonly rulesets: Names<RulesetName>;
  readonly tokenRules: Names<RuleName>;
  readonly customRules: Names<RuleName>;
  /** Custom rules, whose ids are those of their rulesets, a slash and their own. */
  readonly customPaths: Names<RuleName>;
  /** Rules of both kinds. */
  readonly rules: Names<RuleName>;
}

interface Kind<P, N> {
  readonly noun: string;
  readonly parts: readonly P[];
  readonly idOf: (part: P) => string;
  /** The id for people, where it is another one. */
  readonly shortIdOf?: (part: P) => string;
  /** The names that a part may have, the best one first. */
  readonly candidates: (part: P) => readonly N[];
  readonly hasName: (part: P, name: N) => boolean;
  /** The values of some members of names that a part has, as `valueIn` returns them. */
  readonly valuesOf: (part: P) => Readonly<Record<string, readonly unknown[]>>;
}

/** Names of the parts of a zone. */
export function createPartNames(zone: NamedParts): PartNames {
  const given = [...(zone.account_rulesets ?? []), ...(zone.rulesets ?? [])];
  const lists = given.filter(({ phase }) => phase === customPhase);
  const rulesets = namesOf<Ruleset, RulesetName>({
    noun: "ruleset",
    parts: lists,
    idOf: ({ id }) => id,
    candidates: rulesetCandidates,
    hasName: ({ kind, name = "" }, wanted) => isSame(wanted.kind, kind) && isSame(wanted.name, name),
    valuesOf: ({ kind, name = "" }) => ({ kind: [kind], name: [name] }),
  });
  const tokenParts = zone.rules.map(tokenPart);
  const customParts = lists.flatMap((ruleset) =>
    (ruleset.rules ?? []).map((rule, i) => customPart(rule, ruleset, i, rulesets.nameOf(ruleset.id))),
  );
  const ids = groupBy(customParts, ({ id }) => id);
  const paths: Partial<Kind<RulePart, RuleName>> = {
    idOf: ({ path }) => path,
    shortIdOf: ({ id, path }) => (ids.get(id)?.length === 1 ? id : path),
  };
  const ofRules = (noun: string, parts: readonly RulePart[], more: Partial<Kind<RulePart, RuleName>> = {}) =>
    namesOf<RulePart, RuleName>({
      noun,
      parts,
      idOf: ({ id }) => id,
      ...more,
      candidates: (part) => part.candidates,
      hasName: hasRuleName,
      valuesOf: ({ title, hosts, ref, description, position }) => ({
        title: [title],
        hosts: [hosts],
        ref: [ref],
        description: [description],
        position: [position],
      }),
    });
  return {
    rulesets,
    configs: namesOf<ConfigPart, ConfigName>({
      noun: "token configuration",
      parts: zone.configs.map(configPart),
      idOf: ({ id }) => id,
      candidates: configCandidates,
      hasName: hasConfigName,
      valuesOf: ({ title, kids, position }) => ({ title: [title], kid: kids, position: [position] }),
    }),
    tokenRules: ofRules("token rule", tokenParts),
    customRules: ofRules("custom rule", customParts),
    customPaths: ofRules("custom rule", customParts, paths),
    rules: ofRules("rule", [...tokenParts, ...customParts]),
  };
}

/** Finds few parts, among which are all with a name: those with the rarest of its values. */
function createNearParts<P, N extends object>({ parts, valuesOf }: Kind<P, N>): (name: N) => readonly P[] {
  const lists = new Map<string, Map<unknown, P[]>>();
  for (const part of parts)
    for (const [member, values] of Object.entries(valuesOf(part))) {
      const known = lists.get(member) ?? new Map<unknown, P[]>();
      lists.set(member, known);
      for (const value of new Set(values)) addTo(known, value, part);
    }
  return (name) => {
    let near = parts;
    for (const [member, value] of Object.entries(name)) {
      if (value === undefined) continue;
      const known = lists.get(member);
      const found = known === undefined ? near : (known.get(valueIn(value)) ?? []);
      if (found.length < near.length) near = found;
    }
    return near;
  };
}

/** The value of a member of a name; the only lists are those of hosts. */
function valueIn(value: unknown): unknown {
  return Array.isArray(value) ? keyOfHosts(value) : value;
}

function namesOf<P, N extends object>(of: Kind<P, N>): Names<N> {
  const { noun, parts, idOf, shortIdOf = idOf, candidates, hasName } = of;
  const near = createNearParts(of);
  const byId = groupBy(parts, idOf);
  const names = new Map<string, string | N>();
  const found = new Map<string, Found>();
  const withName = (name: N) => near(name).filter((part) => hasName(part, name));
  const isUnique = (name: N) => {
    let count = 0;
    for (const part of near(name)) if (hasName(part, name) && ++count > 1) return false;
    return count === 1;
  };
  const search = (name: N): Found => {
    const all = withName(name);
    const id = all[0] === undefined ? "" : idOf(all[0]);
    const count = all.length === 1 ? (byId.get(id)?.length ?? 0) : all.length;
    if (count === 1) return { id };
    const what = `${noun} ${describeName(name)}`;
    return { problem: count === 0 ? `there is no ${what}` : `there are ${count} of the ${what}` };
  };
  const partOf = (id: string) => {
    const [part, ...others] = byId.get(id) ?? [];
    return others.length > 0 ? undefined : part;
  };
  const nameOf = (id: string) => {
    const part = partOf(id);
    if (part === undefined) return id;
    const known = names.get(id) ?? candidates(part).find(isUnique) ?? id;
    names.set(id, known);
    return known;
  };
  const kind = noun.replace("token rule", "rule");
  const short = new Map<string, ShortName>();
  const printShort = (id: string): ShortName => {
    const part = partOf(id);
    const titled = part && candidates(part).find(hasTitleOnly);
    if (titled && isUnique(titled)) return { text: titleIn(titled), isPlace: false };
    const name = nameOf(id);
    const isOnlyPlace = titled === undefined && isPlace(name);
    const shortId = part && shortIdOf(part);
    if (isOnlyPlace && shortId !== undefined && !hasGivenId(shortId))
      return { text: shortId, isPlace: false };
    return { text: printShortName(kind, name, titled && titleIn(titled)), isPlace: isOnlyPlace };
  };
  const shortOf = (id: string) => {
    const known = short.get(id) ?? printShort(id);
    short.set(id, known);
    return known;
  };
  return {
    nameOf,
    shortNameOf: (id) => shortOf(id).text,
    phraseOf: (id) => {
      const { text, isPlace: hasKind } = shortOf(id);
      return hasKind ? text : `${kind} ${quote(text)}`;
    },
    find: (name) => {
      if (typeof name === "string") return { id: name };
      const key = JSON.stringify(name);
      const known = found.get(key) ?? search(name);
      found.set(key, known);
      return known;
    },
  };
}

interface ShortName {
  readonly text: string;
  /** Whether it only says where the part is, with its kind. */
  readonly isPlace: boolean;
}

/** Members that are titles for people. */
const titleMembers: readonly string[] = ["title", "description"];

function hasTitleOnly(name: object): boolean {
  return Object.keys(name).every((member) => titleMembers.includes(member));
}

/** Whether a name only says where a part is: its hosts, or its position. */
function isPlace(name: string | object): boolean {
  return typeof name === "object" && !("ref" in name || "kid" in name);
}

function titleIn(name: object): string {
  return String(Object.values(name)[0]);
}

/** A name in a few words, which start with the title of the part, if there is one. */
function printShortName(noun: string, name: string | object, title: string | undefined): string {
  const rest = typeof name === "string" ? name : wordsOf(noun, name, title !== undefined);
  if (title === undefined) return rest;
  return rest === "" ? title : `${title} (${rest})`;
}

/** The name of a rule in the words of its short name. */
export function printRuleName(name: RuleName): string {
  return printShortName("rule", name, name.title ?? name.description);
}

/** The members of a name beside a title. */
function wordsOf(
  noun: string,
  { hosts, ref, kid, position, ruleset }: RuleName & ConfigName,
  isTitled: boolean,
): string {
  const within = ruleset === undefined ? "" : `of ${nameOfRuleset(ruleset)}`;
  if (kid !== undefined) return `kid ${kid}`;
  if (hosts !== undefined) return isTitled ? listHosts(hosts) : `${noun} of ${listHosts(hosts)}`;
  if (position === undefined) return [ref, within].filter(Boolean).join(" ");
  return ruleset === undefined ? `${noun} ${position}` : `custom rule ${position} ${within}`;
}

function listHosts([first = "", second, ...others]: readonly string[]): string {
  if (others.length > 0) return `${first} and ${others.length + 1} more hosts`;
  return second === undefined ? first : `${first}, ${second}`;
}

/** A ruleset in a few words: its name, or whose entry point it is. */
export function nameOfRuleset(ruleset: string | RulesetName): string {
  if (typeof ruleset === "string") return `ruleset ${ruleset}`;
  if (ruleset.name !== undefined) return ruleset.name;
  return ruleset.kind === "root" ? "the account" : `the ${ruleset.kind}`;
}

/** A member of a name that is not stated is that of every part. */
function isSame<T>(wanted: T | undefined, value: T | undefined): boolean {
  return wanted === undefined || wanted === value;
}

function rulesetCandidates({ kind, name = "" }: Ruleset): readonly RulesetName[] {
  if (kind !== "custom") return [{ kind }];
  return name === "" ? [] : [{ name }, { kind, name }];
}

interface RulePart {
  readonly id: string;
  readonly path: string;
  readonly title?: string | undefined;
  /** Sorted, in lower case. */
  readonly hosts?: string;
  readonly ref?: string | undefined;
  readonly description?: string | undefined;
  readonly ruleset?: Ruleset;
  readonly position: number;
  readonly candidates: readonly RuleName[];
}

/** Maximum number of hosts in a name; it is in each expectation (`chosen`). */
const maxHosts = 8;

function tokenPart({ id, title, selector }: NamedParts["rules"][number], index: number): RulePart {
  const hosts = (selector?.include ?? []).flatMap(({ host }) => host ?? []);
  const position = index + 1;
  const isShort = hosts.length > 0 && hosts.length <= maxHosts;
  const titles = isTelling(title) ? [{ title }] : [];
  const withHosts = isShort ? [...titles.map((candidate) => ({ ...candidate, hosts })), { hosts }] : [];
  const candidates = [...titles, ...withHosts, { position }];
  return { id, path: id, title, hosts: keyOfHosts(hosts), position, candidates };
}

function keyOfHosts(hosts: readonly string[]): string {
  return [...new Set(hosts.map((host) => host.toLowerCase()))].sort().join(" ");
}

/** A `ref` that is the id is not given by the user, and changes with the id. */
function customPart(
  { id, ref, description }: CustomRule,
  ruleset: Ruleset,
  index: number,
  name: string | RulesetName,
): RulePart {
  const position = index + 1;
  const inRuleset = { ruleset: name };
  const refs = ref && ref !== id ? [{ ref }, { ref, ...inRuleset }] : [];
  const descriptions = description ? [{ description }, { description, ...inRuleset }] : [];
  const candidates = [...refs, ...descriptions, { ...inRuleset, position }];
  const path = `${ruleset.id}/${id}`;
  return { id, path, ref, description, ruleset, position, candidates };
}

function hasRuleName(part: RulePart, name: RuleName): boolean {
  const { title, hosts, ref, description, ruleset, position } = name;
  const isCustom = ref !== undefined || description !== undefined || ruleset !== undefined;
  return (
    isCustom === (part.ruleset !== undefined) &&
    isSame(title, part.title) &&
    (hosts === undefined || part.hosts === keyOfHosts(hosts)) &&
    isSame(ref, part.ref) &&
    isSame(description, part.description) &&
    (ruleset === undefined || isRuleset(part.ruleset, ruleset)) &&
    isSame(position, part.position)
  );
}

function isRuleset(ruleset: Ruleset | undefined, wanted: string | RulesetName): boolean {
  if (typeof wanted === "string") return ruleset?.id === wanted;
  return isSame(wanted.kind, ruleset?.kind) && isSame(wanted.name, ruleset?.name ?? "");
}

interface ConfigPart {
  readonly id: string;
  readonly title?: string | undefined;
  readonly kids: readonly string[];
  readonly position: number;
}

function configPart({ id, title, credentials }: NamedParts["configs"][number], index: number): ConfigPart {
  return { id, title, kids: credentials.keys.map(({ kid }) => kid), position: index + 1 };
}

function configCandidates({ title, kids, position }: ConfigPart): readonly ConfigName[] {
  const titled = isTelling(title) ? [{ title }, ...kids.map((kid) => ({ title, kid }))] : [];
  return [...titled, ...kids.map((kid) => ({ kid })), { position }];
}

function hasConfigName(part: ConfigPart, { title, kid, position }: ConfigName): boolean {
  return (
    isSame(title, part.title) &&
    (kid === undefined || part.kids.includes(kid)) &&
    isSame(position, part.position)
  );
}

/** A name in a few words, such as `title "Guard"`: its members that are strings, numbers, lists or names themselves. */
function describeName(name: object): string {
  return Object.entries(name)
    .map(([member, value]) => `${member} ${describeMember(value)}`)
    .join(", ");
}

function describeMember(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  if (Array.isArray(value)) return value.map((element) => JSON.stringify(String(element))).join(" ");
  const { kind, name } = value as RulesetName;
  return `of ${[kind && `kind ${JSON.stringify(kind)}`, name && `name ${JSON.stringify(name)}`].filter(Boolean).join(", ")}`;
}
