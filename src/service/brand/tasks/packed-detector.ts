/** Compiled logos as bytes that all threads share; each thread keeps those that it used most recently. */
import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { createLruCache } from "../../../core/lru-cache.ts";
import type { DenseCalibration, Detector } from "../../../engine/logo/dense/detector.ts";

/** A compiled logo as bytes. */
export interface PackedDetector {
  /** Hash of the bytes. */
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly calibration: DenseCalibration;
}

/** Maximum number of compiled logos that a thread keeps ready for use; about 0.2 MB each. `chosen` */
const maxOpened = 1_000;

const opened = createLruCache<Detector>(maxOpened);

/** The bytes of a compiled logo. */
export function packDetector(detector: Detector): PackedDetector {
  const bytes = toShared(serialize(detector));
  const key = createHash("sha256").update(bytes).digest("hex");
  opened.set(key, detector);
  return { key, bytes, calibration: detector.calibration };
}

/** The compiled logo of bytes. */
export function openDetector({ key, bytes }: PackedDetector): Detector {
  const detector = opened.get(key) ?? (deserialize(new Uint8Array(bytes)) as Detector);
  opened.set(key, detector);
  return detector;
}

/** A copy of bytes in memory that all threads share. */
export function toShared(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
