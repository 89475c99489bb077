/** Deep colours with a profile: what sharp does not bring to sRGB unless it is asked to. */

/** What the decoder says of a picture's colours. */
interface ColorFacts {
  readonly space?: string;
  readonly hasProfile?: boolean;
}

/**
 * Whether colours of more than 8 bits a channel come with a profile. sharp works in another space then, and leaves them
 * there unless sRGB is asked for by its profile; of those without one that would make other colours (observed).
 */
export function hasDeepProfile({ space, hasProfile = false }: ColorFacts): boolean {
  return space === "rgb16" && hasProfile;
}
