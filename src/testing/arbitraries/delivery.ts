/** Random requests for a delivered image: valid, or with exactly one fault. */
import type { Arbitrary } from "fast-check";
import { signAddress } from "../../engine/images/signing.ts";
import type { FastCheck } from "./fast-check.ts";

/** An image that can be delivered. */
export interface DeliveryTarget {
  /** One of the image's `variants`, as responses show them. */
  readonly address: string;
  /** Value of one of the account's signing keys, when the image requires signatures. */
  readonly key?: string;
  /** The time of the requests, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** An address that is rejected. */
export interface InvalidAddress {
  /** The address to request. */
  readonly address: string;
  /** The error code of delivery. */
  readonly code: number;
}

/** Maximum lifetime of a signature: a week. */
const maxExpirySeconds = 604_800;

/** Addresses of the image, signed with or without an expiry where it requires signatures. */
export function delivery(fc: FastCheck, { address, key, nowMs }: DeliveryTarget): Arbitrary<string> {
  if (key === undefined) return fc.constant(address);
  const expiry = fc.option(fc.integer({ min: 1, max: maxExpirySeconds }), { nil: undefined });
  return fc.tuple(fc.constantFrom("", "?v=2"), expiry).map(([query, seconds]) => {
    return signAddress(address + query, key, seconds && Math.floor(nowMs / 1000) + seconds);
  });
}

type BreakAddress = (target: Required<DeliveryTarget>) => InvalidAddress;

/** Wrong segments. */
const pathFaults: readonly BreakAddress[] = [
  ({ address }) => ({ address: address.replace(/[^/]*$/, "no-such-variant"), code: 9404 }),
  ({ address }) => ({ address: address.replace(/[^/]+(\/[^/]*)$/, "no-such-image$1"), code: 9404 }),
  ({ address }) => ({
    address: address.replace(
      /(\/cdn-cgi\/imagedelivery\/|^https?:\/\/[^/]+\/)[\w-]{22}\//,
      "$1no-such-account/",
    ),
    code: 9404,
  }),
  ({ address }) => ({ address: address.replace(/[^/]*$/, ""), code: 9401 }),
  ({ address }) => ({ address: address.replace(/[^/]*$/, "%zz"), code: 9401 }),
];

const signatureFaults: readonly BreakAddress[] = [
  ({ address }) => ({ address, code: 9425 }),
  ({ address, key }) => ({ address: signAddress(address, `${key}x`), code: 9425 }),
  ({ address, key, nowMs }) => ({ address: signAddress(address, key, Math.floor(nowMs / 1000)), code: 9425 }),
  ({ address, key }) => ({ address: `${signAddress(address, key)}0`, code: 9425 }),
  ({ address, key }) => ({ address: `${signAddress(address, key)}&exp=9999999999`, code: 9425 }),
  ({ address, key }) => ({ address: repeated(signAddress(address, key)), code: 9425 }),
];

/** The address with its signature twice. */
function repeated(signed: string): string {
  return `${signed}&${/sig=\w+/.exec(signed)?.[0]}`;
}

/** Addresses with one fault: a path without an image, or a signature that is missing, wrong or expired. */
export function invalidDelivery(fc: FastCheck, target: DeliveryTarget): Arbitrary<InvalidAddress> {
  const { key = "" } = target;
  const faults = key === "" ? pathFaults : [...pathFaults, ...signatureFaults];
  return fc.constantFrom(...faults).map((breakAddress) => breakAddress({ ...target, key }));
}
