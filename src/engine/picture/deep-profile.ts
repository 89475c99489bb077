/** Deep colors with a profile: sharp converts these to sRGB only on request. */

/** Facts of the decoder about a picture's colors. */
interface ColorFacts {
  readonly space?: string;
  readonly hasProfile?: boolean;
}

/**
 * Whether a picture has a color profile and more than 8 bits a channel. sharp leaves such a picture in another color
 * space unless sRGB is requested by its profile; the same request would change pictures without a profile (observed).
 */
export function hasDeepProfile({ space, hasProfile = false }: ColorFacts): boolean {
  return space === "rgb16" && hasProfile;
}
