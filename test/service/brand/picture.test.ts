/** Pictures in base64: which spellings are read, and which are none. */
import { expect, test } from "vitest";
import { readBase64 } from "../../../src/service/brand/logos/picture.ts";

const bytes = (...values: number[]) => ({ value: Buffer.from(values) });

test.each([
  ["AQI=", bytes(1, 2)],
  ["AQI", bytes(1, 2)],
  ["AQ==", bytes(1)],
  ["data:image/png;base64,AQID", bytes(1, 2, 3)],
  [" \r\n data:image/png;base64,\n A Q\tID \n", bytes(1, 2, 3)],
  [" AQID", bytes(1, 2, 3)],
  ["", bytes()],
])("%j is read", (text, read) => {
  expect(readBase64(text, 3)).toEqual(read);
});

test.each([
  "A",
  "A==",
  "AQIDB",
  "AQIDB=",
  "AQ=I",
  "A-_A",
  "AQI===",
  "data:image/png,AQID",
  "x data:;base64,AQID",
])("%j is no base64", (text) => {
  expect(readBase64(text, 100)).toEqual({
    fault: "The image is not base64; a data URI may stand before it.",
  });
});

test("the bytes are counted, not the blanks and the padding", () => {
  expect(readBase64("AQIDBA==".replace(/./g, "$&\r\n"), 4)).toEqual(bytes(1, 2, 3, 4));
  expect(readBase64("AQIDBAUG", 3)).toEqual({
    fault: "The image is larger than the 3 bytes that are allowed.",
  });
});
