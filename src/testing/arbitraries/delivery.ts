/** Random requests for a delivered image: valid, or with exactly one fault. */

import type { Arbitrary } from "fast-check";
import { anyValue, optionsOf, requireArgument } from "../../core/arguments.ts";
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

const deliveryTarget = optionsOf<DeliveryTarget>("delivery", {
  address: anyValue,
  key: anyValue,
  nowMs: anyValue,
});

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
export function delivery(fc: FastCheck, target: DeliveryTarget): Arbitrary<string> {
  requireArgument("target", target, deliveryTarget);
  const { address, key, nowMs } = target;
  if (key === undefined) return fc.constant(address);
  const expiry = fc.option(fc.integer({ min: 1, max: maxExpirySeconds }), { nil: undefined });
  return fc.tuple(fc.constantFrom("", "?v=2"), expiry).map(([query, seconds]) => {
    return signAddress(address + query, key, seconds && Math.floor(nowMs / 1000) + seconds);
  });
}

type BreakAddress = (target: Required<DeliveryTarget>) => InvalidAddress;

/** The address with another segment at a position, which is counted from the end. */
function withSegment(address: string, position: number, segment: string): string {
  return address.split("/").with(position, segment).join("/");
}

/** Wrong segments. */
const pathFaults: readonly BreakAddress[] = [
  ({ address }) => ({ address: withSegment(address, -1, "no-such-variant"), code: 9404 }),
  ({ address }) => ({ address: withSegment(address, -2, "no-such-image"), code: 9404 }),
  ({ address }) => ({
    address: address.replace(
      /(\/cdn-cgi\/imagedelivery\/|^https?:\/\/[^/]+\/)[\w-]{22}\//,
      "$1no-such-account/",
    ),
    code: 9404,
  }),
  ({ address }) => ({ address: withSegment(address, -1, ""), code: 9401 }),
  ({ address }) => ({ address: withSegment(address, -1, "%zz"), code: 9401 }),
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
  requireArgument("target", target, deliveryTarget);
  const { key = "" } = target;
  const faults = key === "" ? pathFaults : [...pathFaults, ...signatureFaults];
  return fc.constantFrom(...faults).map((breakAddress) => breakAddress({ ...target, key }));
}
