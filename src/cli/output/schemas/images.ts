/** The `--json` output of `render` and `sign`. */
import { z } from "zod";
import { contentTypes } from "../../../engine/images/sniff.ts";

export const renderOutput = z
  .strictObject({
    file: z.string(),
    contentType: z.enum(Object.values(contentTypes) as [string]),
    width: z.int().min(1).describe("Pixels."),
    height: z.int().min(1).describe("Pixels."),
    frames: z.int().min(1),
    bytes: z.int().min(1),
  })
  .describe("The file that was written.");

export const signOutput = z
  .strictObject({
    address: z.string(),
    expires_at: z.int().min(0).nullable().describe("Seconds since 1970; null when it never expires."),
  })
  .describe("The signed address.");
