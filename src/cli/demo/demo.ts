/** `edgeproof demo`: the main jobs on built-in samples, one section an area. */
import type { Command, Io } from "../command.ts";
import { brandSection } from "./brand.ts";
import { imagesSection } from "./images.ts";
import { proxySection } from "./proxy.ts";
import { tokensSection } from "./tokens.ts";

/** Prints one area at work. */
export type Section = (io: Io) => Promise<void>;

const sections: readonly Section[] = [tokensSection, brandSection, imagesSection, proxySection];

export const demo: Command = {
  name: "demo",
  summary: "Show the main jobs on built-in samples.",
  positionals: "",
  options: {},
  examples: ["edgeproof demo"],
  run: async (_input, io) => {
    for (const section of sections) await section(io);
    return 0;
  },
};
