import createClient from "openapi-fetch";
import type { components, paths } from "../generated/openapi-fetch/schema.ts";
import { application, ids, present, type StoryInput, type StoryResult, uploads } from "./story.ts";

type Key = components["schemas"]["GivenJwtKey"];

// @ts-expect-error a key has the members of one format
export const mixed: Key = { alg: "ES256", kty: "RSA", kid: "k", n: "", e: "" };

export async function story({ fetch, baseUrl, key, picture }: StoryInput): Promise<StoryResult> {
  const client = createClient<paths>({ baseUrl, fetch, headers: { authorization: "Bearer any" } });
  const { zone_id, account_id } = ids;

  const apps = "/zones/{zone_id}/app_service/apps";
  const created = await client.POST(apps, {
    params: { path: { zone_id } },
    body: { ...application, origin_direct: [...application.origin_direct] },
  });
  const app_id = present(created.data).result.id;
  const edited = await client.PATCH(`${apps}/{app_id}`, {
    params: { path: { zone_id, app_id } },
    body: { tls: null, dns: { name: "git.example.com" }, edge_ips: { connectivity: "ipv4" } },
  });

  const config = { title: "t", description: "", token_sources: ['http.request.headers["authorization"][0]'] };
  const configs = "/zones/{zone_id}/token_validation/config";
  const path = { zone_id };
  const made = await client.POST(configs, {
    params: { path },
    body: { ...config, token_type: "JWT", credentials: { keys: [key] } },
  });
  const rejected = await client.POST(configs, {
    params: { path },
    // @ts-expect-error the type is an enumeration
    body: { ...config, token_type: "opaque", credentials: { keys: [key] } },
  });
  if (rejected.response.status !== 400) throw new TypeError("The handler accepted another token type");

  for (const { id, metadata } of uploads) {
    await client.POST("/accounts/{account_id}/images/v1", {
      params: { path: { account_id } },
      body: { file: picture, id, metadata },
      bodySerializer: (body) => {
        const form = new FormData();
        for (const [name, value] of Object.entries(body)) form.append(name, value);
        return form;
      },
    });
  }
  const listed = await client.GET("/accounts/{account_id}/images/v2", {
    params: { path: { account_id }, query: { meta: { "meta.place.city[in]": "Rome|Paris" } } },
    querySerializer: { object: { style: "form", explode: true } },
  });
  return {
    app: present(edited.data).result,
    keyIds: present(made.data).result.credentials.keys.map(({ kid }) => kid),
    found: present(listed.data).result.images.map(({ id }) => id),
  };
}
