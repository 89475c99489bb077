import { createHash } from "node:crypto";
import { accountHash, computeSignature, signAddress, verifyAddress } from "edgeproof/images";
import { describe, expect, test } from "vitest";

/** The example of `docs/interface/images.md`, Signing keys and delivery. */
const key = "Oix0bbNaT8Rge9PuyxUBrjI6zrgnsyJ5=";
const path = "/cheeW4oKsx5ljh8e8BoL2A/bc27a117-9509-446b-8c69-c81bfeac0a01/mobile";
const known = "72411885ee02134d38662f3e70ac8ff694f408e9d14b05125f6b022c3f403efa";
const before = 1_631_289_274_999;

function verify(query: string, keys = [key], nowMs = before, pathname = path) {
  const verdict = verifyAddress({ pathname, query }, keys, nowMs);
  return verdict.ok ? "ok" : verdict.problems[0].rule.replace("signature-", "");
}

describe("signing", () => {
  test("signs and verifies the published example", () => {
    expect(computeSignature(`${path}?exp=1631289275`, key)).toBe(known);
    expect(signAddress(path, key, 1_631_289_275)).toBe(`${path}?exp=1631289275&sig=${known}`);
    expect(verify(`exp=1631289275&sig=${known}`)).toBe("ok");
  });

  test("the position of `sig` in the query does not matter", () => {
    expect(verify(`sig=${known}&exp=1631289275`)).toBe("ok");
  });

  test("an absolute address is signed from its path on, and an existing signature is replaced", () => {
    const base = `https://images.test:8080${path}`;
    const signed = signAddress(`${base}?exp=1&sig=00#part`, key, 1_631_289_275);
    expect(signed).toBe(`${base}?exp=1631289275&sig=${known}`);
    expect(signAddress("https://images.test", key)).toBe(
      `https://images.test?sig=${computeSignature("/", key)}`,
    );
  });

  test("other parameters are signed as they are encoded", () => {
    const query = "a=%2F+x&&b&a=2";
    const [, signed = ""] = signAddress(`${path}?${query}`, key, 1_631_289_275).split("?");
    expect(signed.startsWith(`${query}&exp=1631289275&sig=`)).toBe(true);
    expect(verify(signed)).toBe("ok");
    expect(verify(signed.replace("%2F", "/"))).toBe("wrong");
  });

  test("without a query the signed string may end in a question mark", () => {
    expect(verify(`sig=${computeSignature(path, key)}`)).toBe("ok");
    expect(verify(`sig=${computeSignature(`${path}?`, key)}`)).toBe("ok");
    expect(verify(`exp=1631289275&sig=${computeSignature(`${path}?`, key)}`)).toBe("wrong");
  });

  test("any key of the account verifies, a removed key does not", () => {
    expect(verify(`exp=1631289275&sig=${known}`, ["other", key])).toBe("ok");
    expect(verify(`exp=1631289275&sig=${known}`, ["other"])).toBe("wrong");
    expect(verify(`exp=1631289275&sig=${known}`, [])).toBe("wrong");
  });

  test("an address expires at the second `exp`", () => {
    expect(verify(`exp=1631289275&sig=${known}`, [key], before)).toBe("ok");
    expect(verify(`exp=1631289275&sig=${known}`, [key], before + 1)).toBe("expired");
  });

  test("a verified address has its expiry", () => {
    const verdict = verifyAddress({ pathname: path, query: `exp=1631289275&sig=${known}` }, [key], before);
    expect(verdict).toEqual({ ok: true, value: { expiresAt: 1_631_289_275 } });
    const forever = verifyAddress(
      { pathname: path, query: `sig=${computeSignature(path, key)}` },
      [key],
      before,
    );
    expect(forever).toEqual({ ok: true, value: {} });
  });

  test.each([
    ["", "missing"],
    ["exp=1631289275", "missing"],
    ["SIG=00", "missing"],
    ["sig", "malformed"],
    ["sig=", "malformed"],
    [`sig=${known.slice(1)}`, "malformed"],
    [`sig=${known.toUpperCase()}`, "malformed"],
    [`sig=${known}&sig=${known}`, "malformed"],
    [`exp=1631289275&exp=1631289275&sig=${known}`, "malformed"],
    [`exp=-1&sig=${known}`, "malformed"],
    [`exp=1e9&sig=${known}`, "malformed"],
    [`exp=&sig=${known}`, "malformed"],
    [`exp=9999999999999999&sig=${known}`, "malformed"],
    [`exp=1631289276&sig=${known}`, "wrong"],
    [`sig=${known}`, "wrong"],
  ])("rejects %s as %s", (query, reason) => {
    expect(verify(query)).toBe(reason);
  });

  test("another path is rejected with code 9425", () => {
    expect(verify(`exp=1631289275&sig=${known}`, [key], before, `${path}x`)).toBe("wrong");
    const verdict = verifyAddress({ pathname: path, query: "" }, [key], before);
    expect(verdict.ok || verdict.problems[0].code).toBe(9425);
  });

  test("an expiry that is not an integer of 0 or more throws a RangeError", () => {
    expect(() => signAddress(path, key, 1.5)).toThrow(RangeError);
    expect(() => signAddress(path, key, -1)).toThrow(RangeError);
  });

  test("an account's hash is the first 22 characters of its digest", () => {
    const digest = createHash("sha256").update("account").digest("base64url");
    expect(accountHash("account")).toBe(digest.slice(0, 22));
  });
});
