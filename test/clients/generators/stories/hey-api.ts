import {
  type GivenJwtKey,
  imagesListFrom,
  imagesUpload,
  proxyAppsCreate,
  proxyAppsEdit,
  tokensConfigsCreate,
} from "../generated/hey-api";
import { createClient } from "../generated/hey-api/client";
import { application, ids, present, type StoryInput, type StoryResult, uploads } from "./story.ts";

// @ts-expect-error a key has the members of one format
export const mixed: GivenJwtKey = { alg: "ES256", kty: "RSA", kid: "k", n: "", e: "" };

export async function story({ fetch, baseUrl, key, picture }: StoryInput): Promise<StoryResult> {
  const client = createClient({
    baseUrl,
    auth: "any",
    fetch: (input, init) => fetch(new Request(input, init)),
  });
  const { zone_id, account_id } = ids;

  const created = await proxyAppsCreate({
    client,
    path: { zone_id },
    body: { ...application, origin_direct: [...application.origin_direct] },
  });
  const app_id = present(created.data).result.id;
  const edited = await proxyAppsEdit({
    client,
    path: { zone_id, app_id },
    body: { tls: null, dns: { name: "git.example.com" }, edge_ips: { connectivity: "ipv4" } },
  });

  const config = { title: "t", description: "", token_sources: ['http.request.headers["authorization"][0]'] };
  const made = await tokensConfigsCreate({
    client,
    path: { zone_id },
    body: { ...config, token_type: "JWT", credentials: { keys: [key] } },
  });
  const rejected = await tokensConfigsCreate({
    client,
    path: { zone_id },
    // @ts-expect-error the type is an enumeration
    body: { ...config, token_type: "opaque", credentials: { keys: [key] } },
  });
  if (rejected.response?.status !== 400) throw new TypeError("The handler accepted another token type");

  for (const { id, metadata } of uploads) {
    await imagesUpload({ client, path: { account_id }, body: { file: picture, id, metadata } });
  }
  const listed = await imagesListFrom({
    client,
    path: { account_id },
    query: { meta: { "meta.place.city[in]": "Rome|Paris" } },
  });
  return {
    app: present(edited.data).result,
    keyIds: present(made.data).result.credentials.keys.map(({ kid }) => kid),
    found: present(listed.data).result.images.map(({ id }) => id),
  };
}
