/**
 * The contents of one file: resources in the shape of the world file, with their origin, and what it left out.
 * Readers decide nothing that needs a second file; `world/assemble.ts` joins the readings.
 */
import type { Placed } from "../core/diagnostic.ts";
import type { JsonObject } from "../core/json-value.ts";
import type { PreviousApplication } from "../service/world/applications.ts";
import type { World } from "../service/world/schema.ts";
import type { Origin } from "./origin.ts";
import type { Undecided } from "./undecided.ts";

type Zone = NonNullable<World["zones"]>[number];
type Account = NonNullable<World["accounts"]>[number];
type Tokens = NonNullable<Zone["token_validation"]>;
type Images = NonNullable<Account["images"]>;
type Brand = NonNullable<Account["brand"]>;

/** The value of each kind of resource, in the shape of the world file. Members that are unknown are missing. */
export interface ResourceValues {
  readonly zone: {
    readonly id?: string;
    readonly name?: string;
    readonly account_id?: string;
    readonly plan?: string;
  };
  readonly token_config: Partial<NonNullable<Tokens["configs"]>[number]>;
  readonly token_rule: Partial<NonNullable<Tokens["rules"]>[number]>;
  readonly operation: Partial<NonNullable<Tokens["operations"]>[number]>;
  readonly image_variant: Partial<NonNullable<Images["variants"]>[number]>;
  /** A signing key: a secret, which is copied only when the caller asks for it. */
  readonly image_key: Partial<NonNullable<Images["signing_keys"]>[number]>;
  readonly image_config: Partial<NonNullable<Images["config"]>>;
  readonly domain_query: Partial<NonNullable<Brand["queries"]>[number]>;
  /** With its rules, unless a list of rulesets has left them out. */
  readonly ruleset: Partial<NonNullable<Zone["rulesets"]>[number]>;
  readonly rule_list: Partial<NonNullable<Account["lists"]>[number]>;
  /** An item of a list, which is a resource of its own in Terraform and in responses. */
  readonly rule_list_item: {
    readonly list_id?: string;
    readonly item?: string | number | readonly string[];
  };
  /** The body of a request that creates the application. */
  readonly proxy_application: JsonObject;
  /** One setting of a zone. */
  readonly zone_setting: { readonly setting_id?: string; readonly value?: unknown };
  /** How the paths of URLs of a zone are normalized. */
  readonly url_normalization: Partial<NonNullable<Zone["url_normalization"]>>;
  /** A fact: a name of the zone, and whether the edge serves it. */
  readonly dns_record: { readonly name?: string; readonly type?: string; readonly proxied?: boolean };
}

/** The kind of a resource. */
export type ResourceKind = keyof ResourceValues;

/** A value that the file does not hold, although the resource has one. */
export interface UnknownValue {
  /** RFC 6901 pointer into the resource's value. */
  readonly pointer: string;
  /** The source of the computed value, as far as the file has it, such as `local.expression`. */
  readonly references?: readonly string[];
  /** Whether the file has the value, marked as sensitive. */
  readonly isSensitive?: boolean;
  /** Whether it is a secret that no answer of the service has. */
  readonly isSecret?: boolean;
}

/** A resource of one kind. */
export interface ResourceOf<K extends ResourceKind> {
  readonly kind: K;
  readonly value: ResourceValues[K];
  readonly origin: Origin;
  /** Its id at the service, as far as the file has it; the world does not have that of every kind. */
  readonly id?: string;
  /** Id of its zone, for resources of a zone. Absent when the file does not say it. */
  readonly zone?: string;
  /** Id of its account, for resources of an account. Absent when the file does not say it. */
  readonly account?: string;
  /** Who has it, where a zone or an account can and the id of neither is known. */
  readonly owner?: "zone" | "account";
  /** Where members are that have another place in the file: pointer into `value` to pointer into the resource. */
  readonly members?: ReadonlyMap<string, string>;
  readonly unknown?: readonly UnknownValue[];
  /** The application before a plan is applied, which the service updates, or deletes when its replacement is there. */
  readonly previous?: PreviousApplication;
  /** Whether a configuration is made of a file with keys, which can be those of another configuration. */
  readonly isKeySet?: boolean;
  /** Page of the list that it is in, from 1: files of several pages may be given in any order. */
  readonly page?: number;
  /** Whether the order of the file is not that of evaluation; then `position` and `createdAt` derive it. */
  readonly isUnordered?: boolean;
  /** Wishes about the place of a rule in the order of its zone; ids as in `value`. */
  readonly position?: RulePosition;
  /** When the resource was created, as text that sorts by time. */
  readonly createdAt?: string;
}

/** The members of a rule's position that are set. */
export interface RulePosition {
  readonly index?: number;
  readonly before?: string;
  readonly after?: string;
}

/** A resource of any kind. */
export type Resource = { readonly [K in ResourceKind]: ResourceOf<K> }[ResourceKind];

/** A page of a list, with what the file says about the others. */
export interface ListedPage {
  /** Absent for an empty page, which does not say of what kind it is. */
  readonly kind?: ResourceKind;
  /** From 1; absent when the file does not say it. */
  readonly page?: number;
  /** The number of elements of the page. */
  readonly count: number;
  /** The elements, as the file has them. */
  readonly elements: unknown;
  /** The number of elements of the whole list. */
  readonly total?: number;
  /** Whether a cursor says that there are more elements; absent when `total` is known. */
  readonly hasNext?: boolean;
  readonly origin: Origin;
}

/** A resource of Terraform in a plan: what tells whether that of a state is the same. */
export type PlannedResource = Pick<Resource, "id" | "zone" | "account">;

/** Resources that a file has, without what they are. */
export interface MissingResources {
  /** Absent when they can be of any kind. */
  readonly kind?: ResourceKind;
  readonly origin: Origin;
  /** Why they are not known, in one sentence. */
  readonly message: string;
}

/** Everything that a reader found in a file. */
export interface Reading {
  readonly resources: readonly Resource[];
  /** Parts that the world does not have. */
  readonly dropped: readonly Placed[];
  /** Values that the file does not have as they are. */
  readonly derived: readonly Placed[];
  readonly undecided: readonly Undecided[];
  /** Parts of the file whose resources are not known: of a kind, or of any. */
  readonly missing?: readonly MissingResources[];
  /** Lists that can have more pages than the file. */
  readonly lists?: readonly ListedPage[];
  /** The resources of a plan by their addresses before and after it, with those that it deletes. */
  readonly planned?: ReadonlyMap<string, PlannedResource>;
  /** Whether it is a state, which a plan of the same deployment replaces. */
  readonly isState?: boolean;
  /** How to get a file in which no value is unknown. */
  readonly run: string;
}

/** A reading with nothing in it, to spread. */
export const emptyReading: Reading = { resources: [], dropped: [], derived: [], undecided: [], run: "" };
