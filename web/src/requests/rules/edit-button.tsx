/** Opens and closes the editor of a rule; the address has the open one. */
import { Icon } from "../../parts/icon.tsx";
import { showView, view } from "../../view-state.ts";

interface Props {
  /** In the address. */
  readonly id: string;
  readonly title: string;
}

/** The button. */
export function EditButton({ id, title }: Props) {
  const isEditing = view.value["rule"] === id;
  return (
    <button
      type="button"
      class="plain edit"
      aria-expanded={isEditing}
      aria-label={`${isEditing ? "Close the editor of" : "Edit"} ${title}`}
      onClick={() => showView({ rule: isEditing ? "" : id })}
    >
      <Icon name="edit" /> {isEditing ? "Close" : "Edit"}
    </button>
  );
}
