/** The picture: a file of this machine, or a stored image. */
import { showView, view } from "../view-state.ts";
import {
  box,
  chooseImage,
  type DroppedFile,
  dropFiles,
  dropped,
  imageId,
  images,
  shownFile,
} from "./picture-state.ts";
import { bytesText, maxSide } from "./renditions.ts";

/** The panel. Files can be dropped anywhere on it. */
export function SourcePanel() {
  return (
    <section
      class="panel"
      aria-labelledby="pictures-title"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void dropFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <h1 id="pictures-title">Pictures</h1>
      <label class="drop">
        <span>Drop files here, or choose them</span>
        <input
          type="file"
          multiple
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            currentTarget.value = "";
            void dropFiles(files);
          }}
        />
        <span>They are checked as uploads and rendered; nothing is stored.</span>
      </label>
      <div role="status">
        {dropped.value.length > 0 && (
          <ul class="choices" aria-label="Files">
            {dropped.value.map((file) => (
              <FileItem key={file.name} file={file} />
            ))}
          </ul>
        )}
      </div>
      <StoredImages />
      <Options />
    </section>
  );
}

function FileItem({ file }: { readonly file: DroppedFile }) {
  const { name, picture, reason } = file;
  if (picture === undefined) {
    return (
      <li class="rejected">
        <bdi>{name}</bdi> <span class="chip bad">rejected</span>
        <p class="note error">{reason}</p>
      </li>
    );
  }
  return (
    <li>
      <button
        type="button"
        class="plain"
        aria-pressed={shownFile.value?.name === name}
        onClick={() => {
          shownFile.value = file;
        }}
      >
        <bdi>{name}</bdi> <span class="detail">{bytesText(picture.blob.size)}</span>
      </button>
    </li>
  );
}

function StoredImages() {
  const { images: list = [], total = 0 } = images.value ?? {};
  if (list.length === 0) return null;
  return (
    <>
      <h2 class="group">
        Stored images{total > list.length ? `, the newest ${list.length} of ${total}` : ""}
      </h2>
      <ul class="choices">
        {list.map(({ id, filename, isSigned }) => (
          <li key={id}>
            <button
              type="button"
              class="plain"
              aria-pressed={shownFile.value === undefined && id === imageId.value}
              onClick={() => chooseImage(id)}
            >
              <bdi>{filename || id}</bdi>{" "}
              <span class="detail">
                {filename !== "" && <code>{id}</code>} {isSigned && "signed"}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function Options() {
  const { width, height } = box.value;
  const change = (side: "width" | "height", text: string) => {
    const value = Math.round(Number(text));
    if (!(value >= 1 && value <= maxSide)) return;
    const next = { width, height, [side]: value };
    showView({ box: `${next.width}x${next.height}` });
  };
  return (
    <div class="options">
      {(["width", "height"] as const).map((side) => (
        <label key={side}>
          <span>{side === "width" ? "Width of fits" : "Height of fits"}</span>
          <input
            type="number"
            min="1"
            max={maxSide}
            value={box.value[side]}
            onChange={(event) => change(side, event.currentTarget.value)}
          />
        </label>
      ))}
      <label class="grow">
        <span>The client accepts</span>
        <select
          value={view.value["accept"] ?? ""}
          onChange={(event) => showView({ accept: event.currentTarget.value })}
        >
          <option value="">the original format only</option>
          <option value="webp">WebP</option>
          <option value="avif">AVIF and WebP</option>
        </select>
      </label>
    </div>
  );
}
