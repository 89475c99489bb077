/** The data sets of the evaluation: logos, and pictures with what they show. */

/** A logo to search for. */
export interface SetLogo {
  readonly name: string;
  /** PNG with transparency, longest side 512. */
  readonly png: Uint8Array;
}

/** A picture, and what it shows. */
export interface SetPicture {
  readonly id: string;
  /** The row of the table that counts the shown logos. */
  readonly row: string;
  readonly bytes: Uint8Array;
  /** The shown logos, with left, top, right and bottom where a hit must be there. */
  readonly shows: readonly {
    readonly name: string;
    readonly box?: readonly [left: number, top: number, right: number, bottom: number] | undefined;
  }[];
  /** Whether a pair counts neither as shown nor as missing. */
  readonly isLeftOut?: (logo: string) => boolean;
}

/** A data set. Numbers are chosen on tuning parts only. */
export interface DataSet {
  readonly logos: readonly SetLogo[];
  readonly pictures: () => AsyncIterable<SetPicture>;
}

/** Every n-th item, so that at most `count` are left. */
export function thinned<T>(items: readonly T[], count: number): readonly T[] {
  if (items.length <= count) return items;
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)] as T);
}
