/** Pictures in base64: the spellings that are accepted and rejected. */
import { expect, test } from "vitest";
import { readBase64 } from "../../../src/service/brand/logos/picture.ts";

const bytes = (...values: number[]) => ({ ok: true, value: Buffer.from(values) });

test.each([
  ["AQI=", bytes(1, 2)],
  ["AQI", bytes(1, 2)],
  ["AQ==", bytes(1)],
  ["data:image/png;base64,AQID", bytes(1, 2, 3)],
  [" \r\n data:image/png;base64,\n A Q\tID \n", bytes(1, 2, 3)],
  [" AQID", bytes(1, 2, 3)],
  ["", bytes()],
])("%j is accepted", (text, read) => {
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
])("%j is rejected because it is not base64", (text) => {
  expect(readBase64(text, 100)).toMatchObject({
    ok: false,
    problems: [{ code: 7001, message: "The image must be base64, with or without a data URI." }],
  });
});

test("the limit counts bytes, without blanks and padding", () => {
  expect(readBase64("AQIDBA==".replace(/./g, "$&\r\n"), 4)).toEqual(bytes(1, 2, 3, 4));
  expect(readBase64("AQIDBAUG", 3)).toMatchObject({
    ok: false,
    problems: [{ code: 7001, message: "The image must be at most 3 bytes." }],
  });
});
