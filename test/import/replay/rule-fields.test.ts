/** The fields that a leaf of an expression reads, from its canonical spelling. */
import { expect, test } from "vitest";
import { readsOfLeaf, ruleField } from "../../../src/import/replay/rule-fields.ts";

test.each([
  ['is_jwt_valid("a")', "a"],
  ['is_jwt_present("say \\"hi\\"")', 'say "hi"'],
])("%s reads the token of a configuration", (text, configId) => {
  expect(readsOfLeaf(text)).toEqual({ configId });
});

test.each([
  ['http.request.headers["X-Key"][0] eq "is_jwt_valid"', [ruleField("header", "x-key")]],
  ['http.request.cookies["Team"][2] ne "a"', [ruleField("cookie", "Team", 2)]],
  ['lower(http.request.headers["a\\"b"][0]) in {"x"}', [ruleField("header", 'a"b')]],
  ['any(http.request.headers["a"][*] eq "b")', [ruleField("header", "a"), ruleField("header", "a", 1)]],
  ['http.request.uri.query contains "a"', [ruleField("query", "")]],
  ['starts_with(http.request.uri, "/a")', [ruleField("query", "")]],
  ['http.request.uri.path eq "/a"', []],
  ['http.request.method in {"GET" "POST"}', []],
  ['http.host eq "a"', []],
])("%s reads its fields", (text, fields) => {
  expect(readsOfLeaf(text)).toEqual({ fields });
});
