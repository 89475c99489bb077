/** Brand protection through the provider's client library. */
import { describe, expect, test } from "vitest";
import { drawPng } from "../../src/testing/pictures/drawing.ts";
import { drawings } from "../engine/logo/drawings.ts";
import { generations } from "./provider.ts";

const account_id = "023e105f4ecef8ad9ca31a8372d0c353";

describe.each(generations)("$name", ({ open }) => {
  test("domain queries and matches, of one query and of several", async () => {
    const { client, edge } = open();
    for (const pattern of ["paypal", "secure"]) {
      await edge.brand.queries.create(account_id, {
        tag: pattern,
        string_matches: [{ pattern, max_edit_distance: 0 }],
      });
    }
    await edge.brand.observe(account_id, [
      { domain: "secure-paypal.com", first_seen: "2026-01-02T00:00:00Z" },
      { domain: "paypal.com", first_seen: "2026-01-01T00:00:00Z", registrar: "R" },
    ]);
    const { queries, matches } = client.brandProtection.v2;
    const listed = await queries.get({ account_id });
    expect([...(listed as Iterable<{ query_id: number }>)].map((q) => q.query_id)).toEqual([1, 2]);
    const response = await matches.get({ account_id, query_id: ["1"], orderBy: "domain" });
    expect(response.matches?.map((m) => [m.domain, m.registrar, m.dismissed])).toEqual([
      ["paypal.com", "R", false],
      ["secure-paypal.com", null, false],
    ]);
    const several = await matches.get({ account_id, query_id: ["1", "2"], limit: "1" });
    expect(several).toMatchObject({
      total: 2,
      matches: [
        {
          domain: "secure-paypal.com",
          match_details: [{ query_id: 1 }, { query_id: 2, query_tag: "secure" }],
        },
      ],
    });
  });

  test("logo queries and matches, with download, and deletion", async () => {
    const { client, edge } = open();
    const { logos, logoMatches } = client.brandProtection.v2;
    const file = Buffer.from(drawPng(drawings["wing"]!, { side: 48 }));
    const image_data = `data:image/png;base64,${file.toString("base64")}`;
    const created = await logos.create({ account_id, image_data, similarity_threshold: 0.8, tag: "ours" });
    expect(created).toMatchObject({ success: true, query_id: 1 });
    await edge.brand.observeImages(account_id, [{ domain: "a.example", image: file }]);
    const [logo] = await logos.get({ account_id, download: "true" });
    expect(logo).toMatchObject({
      id: 1,
      tag: "ours",
      content_type: "image/png",
      image_data: file.toString("base64"),
    });
    expect(logo).toHaveProperty("r2_path");
    const { matches, total } = await logoMatches.get({ account_id, query_id: "1", download: "true" });
    expect(total).toBe(1);
    expect(matches?.[0]).toMatchObject({
      domain: "a.example",
      similarity_score: 1,
      content_type: "image/png",
    });
    expect(await logos.delete("1", { account_id })).toMatchObject({ success: true });
    await expect(logos.delete("1", { account_id })).rejects.toMatchObject({
      status: 404,
      errors: [{ code: 7002 }],
    });
  });
});
