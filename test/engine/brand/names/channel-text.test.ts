/** The text that each channel compares, and where its letters come from. */
import { describe, expect, test } from "vitest";
import { codePoints } from "../../../../src/engine/brand/names/alphabet.ts";
import { channelsOf, channelTextOf, originSpan } from "../../../../src/engine/brand/names/channel-text.ts";

const text = codePoints("a-m.0");

test.each([
  [{}, ["plain"]],
  [{ confusables: true }, ["plain", "confusables"]],
  [{ separators: true }, ["plain", "separators"]],
  [{ confusables: true, separators: true }, ["plain", "confusables", "separators", "confusables+separators"]],
])("the channels of %j are %j", (options, channels) => {
  expect(channelsOf(options)).toEqual(channels);
});

describe("the text of a channel", () => {
  test.each([
    ["plain", "a-m.0", [0, 1, 2, 3, 4]],
    ["confusables", "a-rn.o", [0, 1, 2, 2, 3, 4]],
    ["separators", "am0", [0, 2, 4]],
    ["confusables+separators", "arno", [0, 2, 2, 4]],
  ] as const)("%s is `%s`, from the positions %j", (channel, letters, origin) => {
    const found = channelTextOf(channel, text);
    expect([String.fromCodePoint(...found.points), found.origin]).toEqual([letters, origin]);
  });

  test.each([
    ["plain", "-m", [1, 2]],
    ["confusables", "-rn", [1, 2, 2]],
    ["separators", "m", [2]],
  ] as const)("%s of a part is `%s`, from the positions %j", (channel, letters, origin) => {
    const found = channelTextOf(channel, text, 1, 3);
    expect([String.fromCodePoint(...found.points), found.origin]).toEqual([letters, origin]);
  });
});

test("a span in a channel is mapped to whole letters; an empty one is before its letter, or at the end", () => {
  const skeletons = channelTextOf("confusables", text);
  expect(originSpan(skeletons, { start: 3, end: 5 }, 5)).toEqual({ start: 2, end: 4 });
  expect(originSpan(skeletons, { start: 2, end: 3 }, 5)).toEqual({ start: 2, end: 3 });
  expect(originSpan(skeletons, { start: 3, end: 3 }, 5)).toEqual({ start: 2, end: 2 });
  expect(originSpan(skeletons, { start: 4, end: 4 }, 5)).toEqual({ start: 3, end: 3 });
  expect(originSpan(skeletons, { start: 6, end: 6 }, 5)).toEqual({ start: 5, end: 5 });
  expect(originSpan({ points: [], origin: [] }, { start: 0, end: 1 }, 5)).toEqual({ start: 5, end: 5 });
});
