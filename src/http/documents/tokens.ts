/** Documents of token configurations, rules and zones. */
import { type EndpointDocument, exampleKey, exampleParameters } from "./endpoint-document.ts";

const page = { page: "1", per_page: "20" };
const expression = `is_jwt_valid("${exampleParameters["config_id"]}")`;
const rule = {
  title: "Orders need a token",
  description: "All operations of the API",
  action: "block",
  enabled: true,
  expression,
  selector: { include: [{ host: ["api.example.com"] }] },
};

export const tokenDocuments = {
  "zones.list": {
    description:
      "Lists the zones that the API token may use, by domain. It is empty when the store has no list of zones.",
    errors: [],
    example: { query: { name: "example.com" } },
  },
  "zones.get": { description: "Returns one zone with its account.", errors: [], example: {} },
  "tokens.operations.list": {
    description:
      "Lists the operations of the zone, which only a world file sets. A zone without a list has a note in `messages`.",
    errors: [],
    example: { query: { ...page, method: "GET" } },
  },
  "tokens.configs.list": {
    description:
      "Lists the token configurations of the zone with their public keys, in the order of creation.",
    errors: [],
    example: { query: page },
  },
  "tokens.configs.get": {
    description: "Returns a token configuration with its public keys.",
    errors: [],
    example: {},
  },
  "tokens.configs.create": {
    description:
      "Creates a token configuration: where requests have the token, and the public keys that verify it. Its rules refer to it by its id.",
    errors: [],
    example: {
      body: {
        title: "Customers",
        description: "Tokens of the shop",
        token_type: "JWT",
        token_sources: ['http.request.headers["authorization"][0]'],
        credentials: { keys: [exampleKey] },
      },
    },
  },
  "tokens.configs.edit": {
    description: "Changes title, description or token sources. Keys are replaced at `credentials`.",
    errors: [],
    example: { body: { title: "Customers and staff" } },
  },
  "tokens.configs.delete": {
    description:
      "Deletes a token configuration. One that an expression of a rule refers to cannot be deleted.",
    errors: [],
    example: {},
  },
  "tokens.configs.credentials": {
    description:
      "Replaces all keys of a token configuration at once. The answer has no `result`: its keys are beside `success`.",
    errors: [],
    example: { body: { keys: [exampleKey] } },
  },
  "tokens.configs.editCredentials": {
    description:
      "Replaces the keys of a token configuration. A key with the `alg` and `kid` of a stored one keeps the members that are left out; a stored key that the body does not name is removed, with an entry in `messages`. The answer has all keys, beside `success`.",
    errors: [],
    example: { body: { keys: [{ ...exampleKey, kid: "key-2" }] } },
  },
  "tokens.rules.list": {
    description: "Lists the rules in the order of evaluation. A rule must pass every filter.",
    errors: [],
    example: { query: { ...page, action: "block", enabled: "true" } },
  },
  "tokens.rules.create": {
    description:
      "Creates a rule as the last one. A request of a selected operation that fails the expression gets the action.",
    errors: [],
    example: { body: rule },
  },
  "tokens.rules.bulkCreate": {
    description: "Creates rules after the others, in the order of the body: all or none.",
    errors: [],
    example: { body: [rule] },
  },
  "tokens.rules.bulkEdit": {
    description:
      "Edits rules in the order of the body: all or none. Edits of the same rule are one change, of which later members count.",
    errors: [],
    example: { body: [{ id: exampleParameters["rule_id"], enabled: false }] },
  },
  "tokens.rules.preview": {
    description:
      "Returns the operations of the zone with the effect that the selector of the body would have on each. The body is a selector, or a rule that has one; nothing is stored. Filters choose the operations that are listed; the numbers are those of all.",
    errors: [],
    example: { query: { ...page, state: "included" }, body: rule.selector },
  },
  "tokens.rules.get": {
    description: "Returns a rule with its selector and its expression.",
    errors: [],
    example: {},
  },
  "tokens.rules.edit": {
    description: "Changes the members that the body has, and moves the rule when it has a `position`.",
    errors: [],
    example: { body: { action: "log", position: { index: 1 } } },
  },
  "tokens.rules.delete": {
    description: "Deletes a rule; the rules after it move up.",
    errors: [],
    example: {},
  },
} as const satisfies Readonly<Record<string, EndpointDocument>>;
