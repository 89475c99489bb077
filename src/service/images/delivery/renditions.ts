/**
 * Images that were rendered, in memory up to a number of bytes, and renderings under way, one for each thing at
 * most. Keys name the original's blob and the variant's revision, neither of which is ever used twice: what is
 * deleted or changed is simply never asked for again.
 */

export interface Rendition {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

export interface Renditions {
  /** What stands in memory, or what `render` gives. */
  get(key: string, render: () => Promise<Rendition>): Promise<Rendition>;
  /** What stands in memory now. */
  peek(key: string): Rendition | undefined;
}

/** What an entry takes beside its bytes, roughly. */
const entryBytes = 1_024;

export function createRenditions(maxBytes: number): Renditions {
  const kept = new Map<string, Rendition>();
  const underWay = new Map<string, Promise<Rendition>>();
  let size = 0;

  /** The one not asked for longest goes first: a map gives its entries in the order of their insertion. */
  function keep(key: string, rendition: Rendition): void {
    const cost = costOf(rendition);
    if (cost > maxBytes) return;
    kept.set(key, rendition);
    size += cost;
    for (const [oldest, oldestKept] of kept) {
      if (size <= maxBytes) return;
      kept.delete(oldest);
      size -= costOf(oldestKept);
    }
  }

  function start(key: string, render: () => Promise<Rendition>): Promise<Rendition> {
    const running = render()
      .then((rendition) => {
        keep(key, rendition);
        return rendition;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, running);
    return running;
  }

  function peek(key: string): Rendition | undefined {
    const found = kept.get(key);
    if (!found) return undefined;
    kept.delete(key);
    kept.set(key, found);
    return found;
  }

  return {
    peek,
    get: async (key, render) => peek(key) ?? underWay.get(key) ?? start(key, render),
  };
}

function costOf({ bytes }: Rendition): number {
  return bytes.byteLength + entryBytes;
}
