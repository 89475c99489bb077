/** Titles in place of ids: in expressions, and where ids are shown on demand. */
import { tabSignal } from "../../tab-storage.ts";
import { zone } from "../request-state.ts";

/** Whether ids are shown beside titles. */
export const showsIds = tabSignal("shows-ids", false);

/** The text with the title of each configuration in place of its quoted id, or beside it. */
export function Titled({ text }: { readonly text: string }) {
  const titles = new Map(
    (zone.value?.configs ?? []).flatMap(({ id, title }) => (title === "" ? [] : [[id, title] as const])),
  );
  const parts = text.split(/("[^"\\]*")/);
  return (
    <>
      {parts.map((part, i) => {
        const title = titles.get(part.slice(1, -1).toLowerCase());
        if (title === undefined || part[0] !== '"') return part;
        return (
          <span key={i}>
            {showsIds.value && `${part} `}
            <span class="config-title">{title}</span>
          </span>
        );
      })}
    </>
  );
}

/** An id, when ids are shown. */
export function Id({ id }: { readonly id: string }) {
  return showsIds.value ? <p class="id">{id}</p> : null;
}

/** The choice between both. */
export function IdsChoice() {
  return (
    <label class="inline ids">
      <input
        type="checkbox"
        checked={showsIds.value}
        onChange={(event) => {
          showsIds.value = event.currentTarget.checked;
        }}
      />
      <span>Show ids</span>
    </label>
  );
}
