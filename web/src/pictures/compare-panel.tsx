/** The picture before and after, side by side. */
import type { LoadedPicture } from "../data.ts";
import { Picture } from "../parts/picture.tsx";
import { Facts } from "./facts.tsx";
import { compared, rendered } from "./picture-state.ts";

/** The panel. */
export function ComparePanel({ picture }: { readonly picture: LoadedPicture }) {
  const rendition = compared.value;
  const result = rendition && rendered.value[rendition.key];
  return (
    <section class="panel" aria-labelledby="compare-title">
      <h2 id="compare-title">Before and after</h2>
      <div class="side-by-side">
        <figure>
          <Picture blob={picture.blob} alt="The picture as it is" />
          <figcaption>
            <strong>Before</strong>
            <Facts picture={picture} />
          </figcaption>
        </figure>
        <figure>
          {result?.picture ? (
            <Picture blob={result.picture.blob} alt={`The picture through ${rendition?.title ?? ""}`} />
          ) : (
            <span class="picture" />
          )}
          <figcaption>
            <strong>After</strong> {rendition && `${rendition.title} (${rendition.detail})`}
            {result?.picture && <Facts picture={result.picture} original={picture} />}
            {result?.reason !== undefined && <p class="note error">{result.reason}</p>}
          </figcaption>
        </figure>
      </div>
    </section>
  );
}
