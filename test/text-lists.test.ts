/** Strings that are lists: every reader of one has the same items with spaces around the separators. */
import { describe, expect, test } from "vitest";
import { chooseFormat } from "../src/engine/images/render/accept.ts";
import { cachePolicy } from "../src/engine/images/request/cache-policy.ts";
import { parseAllowedOrigins } from "../src/engine/images/request/source-origins.ts";
import { skippedIds } from "../src/engine/tokens/rulesets/skip-targets.ts";
import { matchesTag } from "../src/http/responses/transform-answers.ts";
import { readServers } from "../src/queue/jetstream/servers.ts";

/** A reader of a list with commas: its items, and what it reads from their text. */
interface ListReader {
  readonly items: readonly string[];
  readonly read: (text: string) => unknown;
}

const facts = { type: "jpeg", frames: 1, side: 100 } as const;

const readers: Readonly<Record<string, ListReader>> = {
  "rules of a `skip`": { items: ["a", "b", "c"], read: skippedIds },
  "origins of images": {
    items: ["example.com", "*.example.org", "example.net/a"],
    read: (text) => parseAllowedOrigins(text),
  },
  "directives of a cache": {
    items: ["public", "max-age=9999", "s-maxage=5"],
    read: (text) => cachePolicy(text),
  },
  "directives of a cache that forbid": { items: ["public", "private"], read: (text) => cachePolicy(text) },
  "media types": { items: ["text/html", "image/avif"], read: (text) => chooseFormat(text, facts) },
  "media types with weights": {
    items: ["image/avif;q=0", "image/webp;q=0.5"],
    read: (text) => chooseFormat(text, facts),
  },
  "entity tags": { items: ['"x"', 'W/"y"', '"z"'], read: (text) => matchesTag(text, '"y"') },
  "servers of a queue": {
    items: ["nats://a:4222", "b", "c:5"],
    read: (text) => readServers({ servers: text }),
  },
};

describe.each(Object.entries(readers))("%s", (_, { items, read }) => {
  const expected = read(items.join(","));

  test.each([
    ["after", ", "],
    ["before", " ,"],
    ["around", "  ,  "],
  ])("are the same with spaces %s the commas", (__, separator) => {
    expect(read(items.join(separator))).toEqual(expected);
    expect(read(` ${items.join(separator)} `)).toEqual(expected);
  });

  test("depend on the items", () => {
    const others = items.map((__, i) => JSON.stringify(read(items.toSpliced(i, 1).join(","))));
    expect(others.some((other) => other !== JSON.stringify(expected))).toBe(true);
  });
});
