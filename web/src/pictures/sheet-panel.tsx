/** Every stored variant and every fit of the picture. */
import type { LoadedPicture } from "../data.ts";
import { Picture } from "../parts/picture.tsx";
import { showView } from "../view-state.ts";
import { Facts } from "./facts.tsx";
import { compared, rendered, renditions, variants } from "./picture-state.ts";
import type { Rendition } from "./renditions.ts";

/** The panel. */
export function SheetPanel({ picture }: { readonly picture: LoadedPicture }) {
  const count = variants().length;
  const done = renditions.value.filter(({ key }) => rendered.value[key]).length;
  const list = (shown: readonly Rendition[]) => (
    <ul class="logo-grid">
      {shown.map((rendition) => (
        <Cell key={rendition.key} rendition={rendition} original={picture} />
      ))}
    </ul>
  );
  return (
    <section class="panel" aria-labelledby="sheet-title">
      <h2 id="sheet-title">All variants and fits</h2>
      <p class="quiet" role="status">
        {done < renditions.value.length
          ? `Rendered ${done} of ${renditions.value.length}…`
          : `${done} renderings, one after the other`}
      </p>
      {count > 0 && <h3 class="group">Stored variants</h3>}
      {count > 0 && list(renditions.value.slice(0, count))}
      <h3 class="group">Fits</h3>
      {list(renditions.value.slice(count))}
    </section>
  );
}

interface CellProps {
  readonly rendition: Rendition;
  readonly original: LoadedPicture;
}

function Cell({ rendition: { key, title, detail }, original }: CellProps) {
  const result = rendered.value[key];
  return (
    <li class="match">
      {result?.picture ? (
        <Picture blob={result.picture.blob} alt={`Through ${title}`} />
      ) : (
        <span class="picture" />
      )}
      <div class="match-head">
        <span class="cell-title">
          <strong>{title}</strong> <span class="quiet">{detail}</span>
        </span>
        <button
          type="button"
          class="plain small"
          aria-pressed={compared.value?.key === key}
          aria-label={`Compare ${title}`}
          onClick={() => showView({ shown: key })}
        >
          Compare
        </button>
      </div>
      {result?.picture && <Facts picture={result.picture} original={original} />}
      {result?.reason !== undefined && <p class="note error">{result.reason}</p>}
    </li>
  );
}
