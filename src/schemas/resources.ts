/** The kinds of resources in a world file, each a table of its members. */
import { domainQueryResource, logoQueryResource } from "./brand.ts";
import { imageConfigResource, imageResource, signingKeyResource, variantResource } from "./images.ts";
import type { Resource } from "./member.ts";
import { applicationResource } from "./proxy.ts";
import { customRuleResource, listResource, rulesetResource } from "./rulesets.ts";
import { configResource, operationResource, ruleResource } from "./tokens.ts";

/** The kinds of resources. */
export const resources = {
  token_config: configResource,
  token_rule: ruleResource,
  operation: operationResource,
  ruleset: rulesetResource,
  custom_rule: customRuleResource,
  rule_list: listResource,
  image: imageResource,
  image_variant: variantResource,
  image_key: signingKeyResource,
  image_config: imageConfigResource,
  domain_query: domainQueryResource,
  logo_query: logoQueryResource,
  proxy_application: applicationResource,
} as const satisfies Readonly<Record<string, Resource>>;

/** A kind of resource with members of its own in a world file. */
export type MemberKind = keyof typeof resources;
