/** Zones with token rules and custom rules as a Terraform plan that creates them, and as states after it. */
import fc from "fast-check";

/** A token rule whose title may be missing or that of another one. */
export interface PlannedTokenRule {
  readonly title: string | undefined;
  readonly action: "block" | "log";
  readonly expression: string;
  readonly enabled: boolean;
}

/** A custom rule whose `ref` and description may be missing, and whose description may be that of another one. */
export interface PlannedCustomRule {
  readonly ref: string | undefined;
  readonly description: string | undefined;
  readonly action: "block" | "log" | "managed_challenge" | "skip";
  readonly expression: string;
  readonly enabled: boolean;
}

/** A zone that a plan creates. */
export interface PlannedZone {
  readonly tokenRules: readonly PlannedTokenRule[];
  readonly customRules: readonly PlannedCustomRule[];
  /** The rules of a ruleset that the first rule of the zone executes. */
  readonly executed: readonly PlannedCustomRule[];
}

/** A rule of a ruleset. */
type PlannedRule = Partial<Omit<PlannedCustomRule, "action">> & { readonly action: string };

const domain = "shop.example";
const plannedConfig = "51231d16-01f1-48e3-93f8-91c99e81288e";
const phase = "http_request_firewall_custom";

const title = fc.constantFrom(undefined, "Guard", "Reads", "Writes");
const tokenRule: fc.Arbitrary<PlannedTokenRule> = fc.record({
  title,
  action: fc.constantFrom("block", "log"),
  expression: fc.constantFrom(
    `is_jwt_valid("${plannedConfig}")`,
    'http.request.method eq "GET"',
    `is_jwt_present("${plannedConfig}") or http.request.method in {"GET" "HEAD"}`,
  ),
  enabled: fc.boolean(),
});

const customRule: fc.Arbitrary<PlannedCustomRule> = fc.record({
  ref: fc.constantFrom(undefined, undefined, "one", "two", "three"),
  description: fc.constantFrom(undefined, "Bots", "Office", "Admins"),
  action: fc.constantFrom("block", "log", "managed_challenge", "skip"),
  expression: fc.constantFrom(
    'http.request.uri.path eq "/a"',
    'http.request.uri.path eq "/b"',
    'http.request.method eq "DELETE"',
    'ip.src eq 192.0.2.1 and http.request.method ne "GET"',
  ),
  enabled: fc.boolean(),
});

/** Each `ref` is that of one rule, as the service demands. */
const customRules = fc
  .uniqueArray(customRule, {
    maxLength: 4,
    comparator: (rule, other) => rule.ref !== undefined && rule.ref === other.ref,
  })
  .map((rules) => rules.map((rule, i) => ({ ...rule, ...(i === 0 && { enabled: true }) })));

/** Random zones. */
export const plannedZones: fc.Arbitrary<PlannedZone> = fc
  .record({
    tokenRules: fc.array(tokenRule, { maxLength: 3 }),
    customRules,
    executed: fc.oneof(fc.constant([]), customRules),
  })
  .filter(({ tokenRules, customRules }) => tokenRules.length + customRules.length > 0);

/** Ids that the service gives: others for each seed. */
function idsOf(seed: number) {
  const hex = (name: string) =>
    [...`${name}/${seed}`]
      .reduce((hash, letter) => (hash * 31n + BigInt(letter.codePointAt(0) ?? 0)) % 2n ** 128n, 7n)
      .toString(16)
      .padStart(32, "0");
  const uuid = (name: string) => hex(name).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
  return { hex, uuid };
}

interface Resource {
  readonly type: string;
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const hostOf = (index: number) => `h${index}.${domain}`;

/** The values of the resources, without those that the service gives. */
function resourcesOf({ tokenRules, customRules, executed }: PlannedZone, key: object): readonly Resource[] {
  const hosts = tokenRules.map((_rule, i) => hostOf(i));
  const ruleValues = ({ action, ...rest }: PlannedCustomRule) => ({
    ...rest,
    action,
    ...(action === "skip" && { action_parameters: { ruleset: "current" }, logging: { enabled: true } }),
  });
  const config = {
    title: "Users",
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { keys: [key] },
  };
  const execute = { action: "execute", expression: "true", description: "Executed", enabled: true };
  return [
    { type: "cloudflare_zone", name: "main", values: { name: domain } },
    { type: "cloudflare_token_validation_config", name: "users", values: config },
    ...tokenRules.map(({ title, ...rule }, i) => ({
      type: "cloudflare_token_validation_rules",
      name: `r${i}`,
      values: {
        ...rule,
        title: title ?? null,
        selector: { include: [{ host: i === 0 ? hosts : [hostOf(i)] }], exclude: null },
        position: i === 0 ? { index: 1, before: null, after: null } : null,
      },
    })),
    ...(customRules.length === 0
      ? []
      : [
          {
            type: "cloudflare_ruleset",
            name: "entry",
            values: {
              kind: "zone",
              phase,
              name: "default",
              rules: [...(executed.length > 0 ? [execute] : []), ...customRules.map(ruleValues)],
            },
          },
        ]),
    ...(customRules.length === 0 || executed.length === 0
      ? []
      : [
          {
            type: "cloudflare_ruleset",
            name: "executed",
            values: { kind: "custom", phase, name: "Shared", rules: executed.map(ruleValues) },
          },
        ]),
  ];
}

function withoutUndefined(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The plan that creates the zone: only the configuration exists. */
export function planOf(zone: PlannedZone, key: object): object {
  const changes = resourcesOf(zone, key).map(({ type, name, values }) => {
    const isConfig = type.endsWith("_config");
    const rules = values["rules"] as readonly PlannedRule[] | undefined;
    const unknown = {
      ...(!isConfig && { id: true }),
      ...(type !== "cloudflare_zone" && { zone_id: true }),
      ...(rules && {
        rules: rules.map(({ ref, action }) => ({
          id: true,
          ...(ref === undefined && { ref: true }),
          ...(action === "execute" && { action_parameters: { id: true } }),
        })),
      }),
    };
    const after = isConfig ? { ...values, id: plannedConfig } : values;
    return {
      address: `${type}.${name}`,
      mode: "managed",
      type,
      name,
      change: { actions: [isConfig ? "update" : "create"], before: null, after, after_unknown: unknown },
    };
  });
  const reference = (address: string) => ({ references: [`${address}.id`, address] });
  const configuration = resourcesOf(zone, key).map(({ type, name }) => ({
    address: `${type}.${name}`,
    mode: "managed",
    type,
    name,
    expressions: {
      ...(type !== "cloudflare_zone" && { zone_id: reference("cloudflare_zone.main") }),
      ...(name === "entry" && {
        rules: [{ action_parameters: { id: reference("cloudflare_ruleset.executed") } }],
      }),
    },
  }));
  return withoutUndefined({
    format_version: "1.2",
    terraform_version: "1.13.3",
    resource_changes: changes,
    configuration: { root_module: { resources: configuration } },
  }) as object;
}

/** The state after the plan, with the ids of a seed: those of the plan are not among them. */
export function stateOf(zone: PlannedZone, key: object, seed: number): object {
  const { hex, uuid } = idsOf(seed);
  const config = uuid("config");
  const resources = resourcesOf(zone, key).map(({ type, name, values }) => {
    const id = type.includes("token_validation") ? uuid(name) : hex(name);
    const rules = values["rules"] as readonly PlannedRule[] | undefined;
    const withIds = {
      ...values,
      id: type.endsWith("_config") ? config : id,
      ...(type !== "cloudflare_zone" && { zone_id: hex("main") }),
      ...(type.endsWith("_rules") && {
        created_at: `2026-01-01T00:00:0${(Number(name.slice(1)) * 7 + seed) % 10}Z`,
      }),
      ...(rules && {
        rules: rules.map((rule, i) => ({
          ref: hex(`${name} ${rule.ref ?? i}`),
          ...(withoutUndefined(rule) as object),
          id: hex(`${name} ${rule.ref ?? i}`),
          ...(rule.action === "execute" && { action_parameters: { id: hex("executed") } }),
        })),
      }),
    };
    return { address: `${type}.${name}`, mode: "managed", type, name, values: withIds };
  });
  const text = JSON.stringify({ format_version: "1.0", values: { root_module: { resources } } });
  return JSON.parse(text.replaceAll(plannedConfig, config));
}
