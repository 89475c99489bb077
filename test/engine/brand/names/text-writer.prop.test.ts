/** The law of the direct writers: what they write is what the list of letters of the channel is. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import { alphabetSteps, classOf } from "../../../../src/engine/brand/names/alphabet.ts";
import { channelsOf, channelTextOf } from "../../../../src/engine/brand/names/channel-text.ts";
import { createNameReader, nameCapacity } from "../../../../src/engine/brand/names/name.ts";
import { createTextWriter } from "../../../../src/engine/brand/names/text-writer.ts";

const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789-_."].map((c) => c.charCodeAt(0));
const alphabet = runSteps(alphabetSteps([{ points: letters }]));
const unit = fc.constantFrom(..."abdlmnow01MWD-_");
const bytes = () => new Uint8Array(2 * nameCapacity);
const memoryOf = () => ({ name: bytes(), ascii: bytes(), channel: bytes() });
const labels = fc.array(fc.string({ unit, minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 });

test.each(channelsOf({ confusables: true, separators: true }))(
  "an ASCII name is written directly in the channel %s, each letter at its position",
  (channel) => {
    const memory = memoryOf();
    const reader = createNameReader(alphabet, memory);
    const writer = createTextWriter(channel, alphabet, memory);
    // Names in the plain channel are not copied.
    const text = channel === "plain" ? memory.name : memory.channel;
    fc.assert(
      fc.property(labels, (parts) => {
        const host = `${parts.join(".")}.com`;
        fc.pre(reader.read(host));
        const at = writer.write(reader.name, reader.name.length)!;
        const points = [...host.toLowerCase()].map((c) => c.charCodeAt(0));
        const expected = channelTextOf(channel, points);
        const written = [...text.subarray(0, at[points.length])];
        expect(written).toEqual(expected.points.map((c) => classOf(alphabet.idOf(c))));
        text[0] = 0x7f;
        writer.forget();
        if (channel !== "plain") expect(writer.write(reader.name, reader.name.length)).toEqual(at);
        expect(text[0] === 0x7f).toBe(channel === "plain" || expected.points.length === 0);
        expected.origin.forEach((origin, i) => {
          if (expected.origin[i - 1] !== origin) expect(at[origin]).toBe(i);
        });
      }),
    );
  },
);

test("names of other letters need the list of letters", () => {
  const memory = memoryOf();
  const reader = createNameReader(alphabet, memory);
  for (const name of ["bücher.example", "xn--bcher-kva.example"]) {
    expect(reader.read(name)).toBe(true);
    expect(createTextWriter("confusables", alphabet, memory).write(reader.name, 5)).toBeUndefined();
  }
});

test("a name is written once for all searches of a channel", () => {
  const memory = memoryOf();
  const reader = createNameReader(alphabet, memory);
  const writer = createTextWriter("separators", alphabet, memory);
  expect(reader.read("a-b.com")).toBe(true);
  writer.write(reader.name, reader.name.length);
  memory.channel[0] = 0x7f;
  writer.write(reader.name, reader.name.length);
  expect(memory.channel[0]).toBe(0x7f);
  expect(reader.read("a-b.com")).toBe(true);
  writer.write(reader.name, reader.name.length);
  expect(memory.channel[0]).not.toBe(0x7f);
});
