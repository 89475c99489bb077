import {
  type GivenJwtKey,
  imagesListFrom,
  imagesUpload,
  proxyAppsCreate,
  proxyAppsEdit,
  tokensConfigsCreate,
} from "../generated/orval/client.ts";
import { application, ids, type StoryInput, type StoryResult, uploads } from "./story.ts";

// @ts-expect-error a key has the members of one format
export const mixed: GivenJwtKey = { alg: "ES256", kty: "RSA", kid: "k", n: "", e: "" };

const authorized = { headers: { authorization: "Bearer any" } };

/** The generated functions call the global `fetch`. */
export async function story({ key, picture }: StoryInput): Promise<StoryResult> {
  const { zone_id, account_id } = ids;
  const body = { ...application, origin_direct: [...application.origin_direct] };
  const created = await proxyAppsCreate(zone_id, body, authorized);
  const edited = await proxyAppsEdit(
    zone_id,
    created.result.id,
    { tls: null, dns: { name: "git.example.com" }, edge_ips: { connectivity: "ipv4" } },
    authorized,
  );

  const config = { title: "t", description: "", token_sources: ['http.request.headers["authorization"][0]'] };
  const made = await tokensConfigsCreate(
    zone_id,
    { ...config, token_type: "JWT", credentials: { keys: [key] } },
    authorized,
  );
  const rejected = await tokensConfigsCreate(
    zone_id,
    // @ts-expect-error the type is an enumeration
    { ...config, token_type: "opaque", credentials: { keys: [key] } },
    authorized,
  );
  if (rejected.success) throw new TypeError("The handler accepted another token type");

  for (const { id, metadata } of uploads) {
    await imagesUpload(account_id, { file: picture, id, metadata }, authorized);
  }
  // The client writes each member as a query parameter and converts objects with `toString`, so the filter is a member.
  const filter: object = { "meta.place.city[in]": "Rome|Paris" };
  const listed = await imagesListFrom(account_id, { ...filter }, authorized);
  return {
    app: edited.result,
    keyIds: made.result.credentials.keys.map(({ kid }) => kid),
    found: listed.result.images.map(({ id }) => id),
  };
}
