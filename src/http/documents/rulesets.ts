/** Documents of rulesets and lists. */
import { type EndpointDocument, exampleParameters } from "./endpoint-document.ts";

const documentsOf = (noun: "zone" | "account") =>
  ({
    list: {
      description: `Lists the rulesets of the ${noun} without their rules, in the order of creation.`,
      errors: [],
      example: { query: { per_page: "2" } },
    },
    get: {
      description: `Returns a ruleset of the ${noun} with its rules, in the order of evaluation.`,
      errors: [],
      example: {},
    },
    entrypoint: {
      description: `Returns the ruleset of the ${noun} with which a phase begins. Without one there is no result.`,
      errors: [],
      example: {},
    },
    "entrypoint.versions": {
      description:
        "Lists the versions of the ruleset with which a phase begins without their rules; only the latest is kept.",
      errors: [],
      example: {},
    },
    "entrypoint.version": {
      description:
        "Returns a version of the ruleset with which a phase begins with its rules; only the latest is kept.",
      errors: [],
      example: {},
    },
    replaceEntryPoint: {
      description: `Replaces the ruleset of the ${noun} with which a phase begins, or creates it: all of it or nothing. A rule keeps its id and its version when it is found by its id, or by its \`ref\`, and is equal.`,
      errors: [20018],
      example: {
        body: {
          description: "Who may do what.",
          rules: [
            {
              ref: "admins",
              action: "block",
              expression: `http.request.method eq "DELETE" and not lookup_json_string(http.request.jwt.claims["${exampleParameters["config_id"]}"][0], "role") eq "admin"`,
            },
            { ref: "office", action: "log", expression: "not ip.src in $office" },
          ],
        },
      },
    },
    create: {
      description: `Creates a custom ruleset of the ${noun}, or the entry point of a phase that has none (20217).`,
      errors: [20018, 20217],
      example: {
        body: {
          name: "Partners",
          kind: "custom",
          phase: "http_request_firewall_custom",
          rules: [{ ref: "office", action: "log", expression: "not ip.src in $office" }],
        },
      },
    },
    replace: {
      description: `Replaces the rules of a ruleset of the ${noun}, and its description: all of it or nothing.`,
      errors: [20018],
      example: { body: { rules: [{ ref: "admins", action: "log", expression: "not ip.src in $office" }] } },
    },
    delete: {
      description: "Deletes a ruleset with its rules. One that a rule executes cannot be deleted.",
      errors: [],
      example: {},
    },
    "rules.create": {
      description: "Adds a rule at a position, or after the others, and returns the ruleset.",
      errors: [20018],
      example: {
        body: { action: "managed_challenge", expression: "not ip.src in $office", position: { index: 1 } },
      },
    },
    "rules.edit": {
      description:
        "Changes the given members of a rule, and its position, and returns the ruleset. An action is given with its parameters.",
      errors: [20018],
      example: { body: { enabled: false } },
    },
    "rules.delete": {
      description: "Removes a rule, and returns the ruleset.",
      errors: [],
      example: {},
    },
    versions: {
      description: "Lists the versions of a ruleset without their rules; only the latest is kept.",
      errors: [],
      example: {},
    },
    version: {
      description: "Returns a version of a ruleset with its rules; only the latest is kept.",
      errors: [],
      example: {},
    },
  }) as const satisfies Readonly<Record<string, EndpointDocument>>;

/** The id of the first item of the list of the examples. */
const idOfFirstItem = "95c078801afc573de0d08e320e300b47";

const zones = documentsOf("zone");
const accounts = documentsOf("account");

export const rulesetDocuments = {
  "rulesets.zones.list": zones.list,
  "rulesets.zones.get": zones.get,
  "rulesets.zones.entrypoint": zones.entrypoint,
  "rulesets.zones.entrypoint.versions": zones["entrypoint.versions"],
  "rulesets.zones.entrypoint.version": zones["entrypoint.version"],
  "rulesets.zones.replaceEntryPoint": zones.replaceEntryPoint,
  "rulesets.zones.create": zones.create,
  "rulesets.zones.replace": zones.replace,
  "rulesets.zones.delete": zones.delete,
  "rulesets.zones.rules.create": zones["rules.create"],
  "rulesets.zones.rules.edit": zones["rules.edit"],
  "rulesets.zones.rules.delete": zones["rules.delete"],
  "rulesets.zones.versions": zones.versions,
  "rulesets.zones.version": zones.version,
  "rulesets.accounts.list": accounts.list,
  "rulesets.accounts.get": accounts.get,
  "rulesets.accounts.entrypoint": accounts.entrypoint,
  "rulesets.accounts.entrypoint.versions": accounts["entrypoint.versions"],
  "rulesets.accounts.entrypoint.version": accounts["entrypoint.version"],
  "rulesets.accounts.replaceEntryPoint": accounts.replaceEntryPoint,
  "rulesets.accounts.create": accounts.create,
  "rulesets.accounts.replace": accounts.replace,
  "rulesets.accounts.delete": accounts.delete,
  "rulesets.accounts.rules.create": accounts["rules.create"],
  "rulesets.accounts.rules.edit": accounts["rules.edit"],
  "rulesets.accounts.rules.delete": accounts["rules.delete"],
  "rulesets.accounts.versions": accounts.versions,
  "rulesets.accounts.version": accounts.version,
  "lists.create": {
    description: "Creates an empty list after the others; custom rules name it as `$name`.",
    errors: [],
    example: { body: { name: "partners", kind: "ip", description: "Networks of partners." } },
  },
  "lists.edit": {
    description: "Changes the description of a list; its name and kind stay.",
    errors: [],
    example: { body: { description: "Networks of the office." } },
  },
  "lists.delete": {
    description: "Deletes a list with its items. Custom rules that name it are then undecided.",
    errors: [],
    example: {},
  },
  "lists.items.replace": {
    description:
      "Replaces all items of a list, all of them or none. The operation is complete with the answer.",
    errors: [],
    example: { body: [{ ip: "192.0.2.0/24" }, { ip: "2001:db8::/32" }] },
  },
  "lists.items.append": {
    description: "Adds items to a list, all of them or none; a value that it has already is added once.",
    errors: [],
    example: { body: [{ ip: "203.0.113.7" }] },
  },
  "lists.items.remove": {
    description: "Removes items by their ids, all of them or none.",
    errors: [],
    example: { body: { items: [{ id: idOfFirstItem }] } },
  },
  "lists.operation": {
    description: "Returns an operation on items, which is complete since it was answered.",
    errors: [],
    example: {},
  },
  "lists.list": {
    description: "Lists the lists of the account that custom rules name as `$name`.",
    errors: [],
    example: {},
  },
  "lists.get": { description: "Returns a list without its items.", errors: [], example: {} },
  "lists.items": {
    description: "Lists the items of a list.",
    errors: [],
    example: { query: { per_page: "2" } },
  },
} as const satisfies Readonly<Record<string, EndpointDocument>>;
