/** "What will be delivered?": a picture through every variant and fit. */

import { useEffect } from "preact/hooks";
import { accountId } from "../overview.ts";
import { WorldCommand } from "../parts/world-command.tsx";
import { ComparePanel } from "./compare-panel.tsx";
import { before, followPictures, images, pictureError } from "./picture-state.ts";
import { SheetPanel } from "./sheet-panel.tsx";
import { SignPanel } from "./sign-panel.tsx";
import { SourcePanel } from "./source-panel.tsx";

/** The screen. */
export function PicturesScreen() {
  useEffect(followPictures, []);
  return (
    <div class="two-panes narrow-first">
      <div class="pane">
        <SourcePanel />
        {pictureError.value !== undefined && (
          <p class="note error" role="alert">
            {pictureError.value}
          </p>
        )}
        <SignPanel />
      </div>
      <div class="pane">
        {before.value ? (
          <>
            <ComparePanel picture={before.value} />
            <SheetPanel picture={before.value} />
          </>
        ) : (
          <NoPicture />
        )}
      </div>
    </div>
  );
}

function NoPicture() {
  if (pictureError.value !== undefined) return null;
  const isLoading = accountId.value !== "" && (images.value === undefined || images.value.total > 0);
  if (isLoading) return <p class="quiet pad">Loading…</p>;
  return (
    <section class="panel" aria-labelledby="none-title">
      <h2 id="none-title">No picture yet</h2>
      <p>
        Drop a file here, or choose one; nothing is stored. Images that are stored are listed as well: a world
        file has them at <code>accounts[].images.images</code>.
      </p>
      <pre>
        <WorldCommand />
      </pre>
    </section>
  );
}
