/** The law of the direct writers: what they write is what the list of letters of the channel is. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { classOf, createAlphabet } from "../../../../src/engine/brand/names/alphabet.ts";
import { channelTextOf } from "../../../../src/engine/brand/names/channel-text.ts";
import { createNameReader, nameCapacity } from "../../../../src/engine/brand/names/name.ts";
import { createTextWriter } from "../../../../src/engine/brand/names/text-writer.ts";

const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789-_."].map((c) => c.charCodeAt(0));
const alphabet = createAlphabet([letters]);
const unit = fc.constantFrom(..."abdlmnow01MWD-_");
const labels = fc.array(fc.string({ unit, minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 });

test.each(["plain", "confusables"] as const)(
  "an ASCII name is written directly in the channel %s, each letter at its position",
  (channel) => {
    const text = new Uint8Array(2 * nameCapacity);
    const reader = createNameReader(alphabet, { name: new Uint8Array(nameCapacity) });
    const writer = createTextWriter(channel, alphabet, { channel: text });
    fc.assert(
      fc.property(labels, (parts) => {
        const host = `${parts.join(".")}.com`;
        fc.pre(reader.read(host));
        const at = writer.write(reader.name)!;
        const points = [...host.toLowerCase()].map((c) => c.charCodeAt(0));
        const expected = channelTextOf(channel, points);
        const written = [...text.subarray(0, at[points.length])];
        expect(written).toEqual(expected.points.map((c) => classOf(alphabet.idOf(c))));
        expect(writer.writeStart(reader.name, points.length)).toBe(at[points.length]);
        expected.origin.forEach((origin, i) => {
          if (expected.origin[i - 1] !== origin) expect(at[origin]).toBe(i);
        });
      }),
    );
  },
);

test("names of other letters, and channels without separators, need the list of letters", () => {
  const reader = createNameReader(alphabet, { name: new Uint8Array(nameCapacity) });
  const write = (channel: "confusables" | "separators", name: string) => {
    expect(reader.read(name)).toBe(true);
    return createTextWriter(channel, alphabet, { channel: new Uint8Array(2 * nameCapacity) }).write(
      reader.name,
    );
  };
  expect(write("confusables", "bücher.example")).toBeUndefined();
  expect(write("confusables", "xn--bcher-kva.example")).toBeUndefined();
  expect(write("separators", "paypal.com")).toBeUndefined();
});
