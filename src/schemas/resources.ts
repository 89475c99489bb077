/**
 * The members of each kind of resource in a world file, and what responses, saved files and Terraform call them. A
 * member of the schema without an entry does not compile.
 */

import type { App } from "../engine/proxy/model.ts";
import type { AccountBrandWorld } from "./brand.ts";
import type { AccountImagesWorld } from "./images.ts";
import type { TokenValidationWorld } from "./tokens.ts";

type Element<List> = NonNullable<List> extends readonly (infer Item)[] ? Item : never;

/** Resources in a world file, by kind. */
interface WorldResources {
  readonly token_config: Element<TokenValidationWorld["configs"]>;
  readonly token_rule: Element<TokenValidationWorld["rules"]>;
  readonly operation: Element<TokenValidationWorld["operations"]>;
  readonly image: Element<AccountImagesWorld["images"]>;
  readonly image_variant: Element<AccountImagesWorld["variants"]>;
  readonly image_key: Element<AccountImagesWorld["signing_keys"]>;
  readonly domain_query: Element<AccountBrandWorld["queries"]>;
  readonly logo_query: Element<AccountBrandWorld["logo_queries"]>;
  readonly proxy_application: App & { readonly id?: string };
}

/** A letter case in which the service compares strings. */
export type LetterCase = "lower" | "upper";

/** A member of a resource. */
export interface Member {
  /** Its other names in responses, saved files and Terraform. */
  readonly also: readonly string[];
  /** The object that has it in responses, saved files and Terraform; a world file has it one level higher. */
  readonly within: string | "none";
  /** Whether imports read it; others leave it out without a report. */
  readonly imported: boolean;
}

/** A kind of resource. */
export interface ResourceMembers<Value = Readonly<Record<string, unknown>>> {
  /** Who has it. */
  readonly owner: "zone" | "account";
  /** What it has in a world file. */
  readonly members: { readonly [Name in keyof Value]-?: Member };
  /** Members of responses that configure nothing. */
  readonly answers: readonly string[];
  /** Members of saved files and Terraform that configure nothing, besides those of responses. */
  readonly saved: readonly string[];
  /** The letter case of strings by their place, in which `*` is any element of an array. */
  readonly spelled: Readonly<Record<string, LetterCase>>;
  /** The types of Terraform's resources. */
  readonly terraform: readonly string[];
}

const same: Member = { also: [], within: "none", imported: true };
const own: Member = { ...same, imported: false };
const named = (...also: readonly string[]): Member => ({ ...same, also });
const parameter: Member = { ...same, within: "parameters" };

/** Members of every saved resource that configure nothing. */
const saved = [
  "zone_id",
  "account_id",
  "created_at",
  "last_updated",
  "created_on",
  "modified_on",
  "modified_by",
];
const recorded = ["created_at", "last_updated", "modified_by"];

/** The kinds of resources. */
export const resources: { readonly [Kind in keyof WorldResources]: ResourceMembers<WorldResources[Kind]> } = {
  token_config: {
    owner: "zone",
    members: {
      id: same,
      title: same,
      description: same,
      token_type: same,
      token_sources: same,
      credentials: same,
    },
    answers: recorded,
    saved,
    // The service compares these without regard to case, so that `rs256` may be stored (observed).
    spelled: {
      "/token_type": "upper",
      "/credentials/keys/*/alg": "upper",
      "/credentials/keys/*/kty": "upper",
      "/credentials/keys/*/crv": "upper",
    },
    terraform: ["cloudflare_token_validation_config"],
  },
  token_rule: {
    owner: "zone",
    members: {
      id: same,
      title: same,
      description: same,
      action: same,
      enabled: same,
      expression: same,
      selector: same,
    },
    answers: recorded,
    saved: [...saved, "position"],
    spelled: { "/action": "lower" },
    terraform: ["cloudflare_token_validation_rules"],
  },
  operation: {
    owner: "zone",
    members: { operation_id: same, method: same, host: same, endpoint: same },
    answers: ["last_updated", "features"],
    saved: [...saved, "id", "schemas"],
    spelled: {},
    terraform: ["cloudflare_api_shield_operation"],
  },
  image: {
    owner: "account",
    members: {
      id: same,
      filename: same,
      creator: same,
      metadata: named("meta"),
      requireSignedURLs: same,
      image: own,
      image_path: own,
    },
    answers: ["uploaded", "variants"],
    saved,
    spelled: {},
    terraform: [],
  },
  image_variant: {
    owner: "account",
    members: { id: same, options: same, neverRequireSignedURLs: named("never_require_signed_urls") },
    answers: [],
    saved: [...saved, "variant"],
    spelled: {},
    terraform: ["cloudflare_image_variant"],
  },
  image_key: {
    owner: "account",
    members: { name: same, value: same },
    answers: [],
    saved,
    spelled: {},
    terraform: [],
  },
  domain_query: {
    owner: "account",
    members: {
      tag: named("query_tag"),
      scan: same,
      string_matches: parameter,
      min_time: parameter,
      max_time: parameter,
    },
    answers: ["query_id", "created", "updated"],
    saved,
    spelled: {},
    terraform: [],
  },
  logo_query: {
    owner: "account",
    members: { tag: same, similarity_threshold: same, image: named("image_data"), image_path: own },
    answers: ["id", "store_path", "r2_path", "uploaded_at", "content_type"],
    saved,
    spelled: {},
    terraform: [],
  },
  proxy_application: {
    owner: "zone",
    members: {
      id: own,
      protocol: same,
      dns: same,
      origin_direct: same,
      origin_dns: same,
      origin_port: same,
      virtual_network_id: same,
      traffic_type: same,
      edge_ips: same,
      smart_routing: named("argo_smart_routing"),
      ip_firewall: same,
      proxy_protocol: same,
      tls: same,
    },
    answers: ["created_on", "modified_on"],
    saved,
    spelled: {},
    terraform: ["cloudflare_spectrum_application"],
  },
};

/** A kind of resource with members of its own in a world file. */
export type MemberKind = keyof typeof resources;
