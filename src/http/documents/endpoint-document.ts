/** The description, the error codes and the example of an endpoint in the OpenAPI document. */
import type { Code } from "../../errors.ts";

/** A request of the document; a test sends it to the handler, and its answer is in `answers.ts`. */
export interface ExampleRequest {
  /** Query parameters. */
  readonly query?: Readonly<Record<string, string>>;
  /** JSON, the fields of a form, or lines of text. */
  readonly body?: unknown;
}

export interface EndpointDocument {
  /** One or two sentences: what it does and what it does not. */
  readonly description: string;
  /** Codes of its own, besides those that every endpoint with its parameters, body and permission has. */
  readonly errors: readonly Code[];
  readonly example: ExampleRequest;
}

/** Path parameters of the examples. */
export const exampleParameters: Readonly<Record<string, string>> = {
  zone_id: "023e105f4ecef8ad9ca31a8372d0c353",
  account_id: "9a7806061c88ada191ed06f989cc3dac",
  config_id: "51231d16-01f1-48e3-93f8-91c99e81288e",
  rule_id: "0f1e2d3c-4b5a-4968-8776-655443322110",
  app_id: "ea95132c15732412d22c1476fa83f27a",
  ruleset_id: "2f2feab2026849078ba485f918791bdc",
  ruleset_rule_id: "3a03d665bac047339bb530ecb439a90d",
  ruleset_phase: "http_request_firewall_custom",
  ruleset_version: "1",
  operation_id: "019b76daa800869e6454ef53c453bd4c",
  list_id: "2c0fc9fa937b11eaa1b71c4d701ab86e",
  query_id: "1",
  domain_id: "1",
  match_id: "1",
  image_id: "products/shoe",
  variant_id: "thumbnail",
  signing_key_name: "default",
  account_hash: "AHqyJ4xVt1B2c3D4e5F6gH",
  upload_token: "secret00000000000000000000000006",
  transformation: "width=80,format=auto/photos/hat.png",
  path: "AHqyJ4xVt1B2c3D4e5F6gH/products/shoe/thumbnail",
};

/** A PNG of 24 by 24 pixels, in base64. */
export const examplePicture =
  "iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAIAAABvFaqvAAAAsUlEQVR4nNXUsQ2AIBAFUIdwDiZwCkZgD+agtSShYgFCbws1lYXW9lrYoHJwZ2y8/I7kJXcHdPtH1f0KmsKqdBTSC+mVjlNYyZB1iXHTD+MtjBvrEhYS0j+JPEL6NtRUIOsCWZcwyplbjxeoOBcojJsyNC8bXjmT7/F9a/0wKh3BYZOsfOSF9eOtBoS3aq2RLHDYJAtcP9WqXUi81XgiSAv1aOsW7RuBal62yum//mxSHcPqPbmP1W9wAAAAAElFTkSuQmCC";

/** The file of a form in an example; a test sends the picture. */
export const exampleFile = "(the bytes of a PNG file)";

/** A public key of no secret. */
export const exampleKey = {
  alg: "ES256",
  crv: "P-256",
  kid: "key-1",
  kty: "EC",
  x: "XJOKMqqPVk0NlQMTCrEBHi_iBEwuX0dgo8a3OGtcTWE",
  y: "rbdr-g7Hh_O1MIqtA3Tzg7B4v8KLpARDbjoJFKJFfmw",
};
