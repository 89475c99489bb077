/** Writes of others between a read and a write: nothing is missed, lost or stored twice. */
import { expect, test } from "vitest";
import { createEdge, type Edge } from "../../../src/edge.ts";
import { createMemoryStore } from "../../../src/store/memory/memory-store.ts";
import type { Store } from "../../../src/store/port.ts";
import { drawPng } from "../../../src/testing/pictures/drawing.ts";
import { drawings } from "../../engine/logo/drawings.ts";

interface Racing {
  readonly edge: Edge;
  /** Runs this just before the next write begins. */
  before(work: () => Promise<unknown>): void;
}

function racing(): Racing {
  const inner = createMemoryStore();
  let next: (() => Promise<unknown>) | undefined;
  const store: Store = {
    ...inner,
    write: async (work) => {
      const first = next;
      next = undefined;
      await first?.();
      return inner.write(work);
    },
  };
  const edge = createEdge({ store });
  return {
    edge,
    before: (work) => {
      next = work;
    },
  };
}

const query = { tag: "t", string_matches: [{ pattern: "paypal", max_edit_distance: 0 }] };
const file = drawPng(drawings["wing"]!, { side: 48 });
const logo = { tag: "l", similarity_threshold: 0.8, image_data: Buffer.from(file).toString("base64") };

async function warm(): Promise<Racing> {
  const made = racing();
  // The first use seeds the store, which is a write, too.
  await made.edge.brand.queries.list("a");
  return made;
}

async function domains({ edge }: Racing): Promise<string[]> {
  return (await edge.store.read((tx) => tx.find("brand_domain_matches", "a"))).map((m) => m.domain);
}

async function logoMatches({ edge }: Racing): Promise<number> {
  return edge.store.read((tx) => tx.count("brand_logo_matches", "a"));
}

test("a query that is created between matching and storing a name finds it", async () => {
  const made = await warm();
  made.before(() => made.edge.brand.queries.create("a", { ...query, search_lookback: false }));
  await made.edge.brand.observe("a", ["paypal.com"]);
  expect(await domains(made)).toEqual(["paypal.com"]);
});

test("a query that is deleted in between has no matches", async () => {
  const made = await warm();
  await made.edge.brand.queries.create("a", query);
  made.before(() => made.edge.brand.queries.delete("a", "1"));
  expect(await made.edge.brand.observe("a", ["paypal.com"])).toMatchObject({ matched: 0, matches: 0 });
  expect(await domains(made)).toEqual([]);
});

test("a name that is observed between the lookback and storing the query is found", async () => {
  const made = await warm();
  await made.edge.brand.observe("a", ["paypal.net"]);
  made.before(() => made.edge.brand.observe("a", ["paypal.com"]));
  await made.edge.brand.queries.create("a", query);
  expect((await domains(made)).sort()).toEqual(["paypal.com", "paypal.net"]);
});

test("a name that becomes retained during a lookback is found", async () => {
  const made = await warm();
  await made.edge.brand.queries.create("a", { ...query, tag: "first" });
  await made.edge.brand.observe("a", ["paypal.com"], { retain: false });
  await made.edge.brand.observe("a", ["other.com"]);
  made.before(() => made.edge.brand.observe("a", ["paypal.com"]));
  await made.edge.brand.queries.create("a", query);
  expect(await domains(made)).toEqual(["paypal.com", "paypal.com"]);
});

test("two concurrent edits of one query are both applied", async () => {
  const made = await warm();
  await made.edge.brand.queries.create("a", query);
  made.before(() => made.edge.brand.queries.edit("a", "1", { tag: "new" }));
  await made.edge.brand.queries.edit("a", "1", { scan: true });
  expect(await made.edge.brand.queries.list("a")).toMatchObject([{ query_tag: "new", scan: true }]);
});

test("a logo that is created between searching and storing a picture is found", async () => {
  const made = await warm();
  made.before(() => made.edge.brand.logos.queries.create("a", { ...logo, search_lookback: false }));
  await made.edge.brand.observeImages("a", [{ image: file }]);
  expect(await logoMatches(made)).toBe(1);
});

test("a picture that is observed between the lookback and storing the logo is found", async () => {
  const made = await warm();
  made.before(() => made.edge.brand.observeImages("a", [{ image: file }]));
  await made.edge.brand.logos.queries.create("a", logo);
  expect(await logoMatches(made)).toBe(1);
});
