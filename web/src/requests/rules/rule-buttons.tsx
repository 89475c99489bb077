/** The buttons of a rule: its place in the order, its deletion, and its editor, which the address has open. */
import { signal } from "@preact/signals";
import type { ZoneView } from "../../../../src/workbench/messages.ts";
import { messageOf, sendData } from "../../data.ts";
import { zoneId } from "../../overview.ts";
import { Icon } from "../../parts/icon.tsx";
import { showView, view } from "../../view-state.ts";
import { evaluateNow, zone } from "../request-state.ts";

interface Props {
  /** In the address. */
  readonly id: string;
  readonly title: string;
  readonly rule: string;
  /** Of a custom rule. */
  readonly ruleset?: string;
  /** The ids of all rules of the list, in order. */
  readonly order: readonly string[];
  /** Number of rules, of which the list may have the first ones. */
  readonly count: number;
}

/** The result of the last change of the order, in one sentence. */
export const orderNote = signal<{ readonly isError: boolean; readonly text: string } | undefined>(undefined);

/** Sends a change, and moves the focus to an element of the new list. Never rejects. */
async function change(name: string, body: object, done: string, focused: string): Promise<void> {
  try {
    zone.value = await sendData<ZoneView>(name, { zone: zoneId.value, ...body });
    orderNote.value = { isError: false, text: done };
    requestAnimationFrame(() => document.getElementById(focused)?.focus());
    await evaluateNow();
  } catch (error) {
    orderNote.value = { isError: true, text: messageOf(error) };
  }
}

/** The buttons. */
export function RuleButtons({ id, title, rule, ruleset, order, count }: Props) {
  const isEditing = view.value["rule"] === id;
  const place = order.indexOf(rule);
  const named = { rule, ...(ruleset !== undefined && { ruleset }) };
  const elementOf = (other: string | undefined) =>
    other === undefined ? "main" : `rule-${ruleset === undefined ? other : `${ruleset}/${other}`}`;
  const remove = () => {
    if (!confirm(`Delete the rule "${title}"?`)) return;
    if (isEditing) showView({ rule: "" });
    const next = order[place + 1] ?? order[place - 1];
    void change("rule/delete", named, `Deleted ${title}.`, elementOf(next));
  };
  return (
    <div class="rule-buttons">
      <MoveButton word="up" {...{ id, title, named, place, count }} />
      <MoveButton word="down" {...{ id, title, named, place, count }} />
      <button type="button" class="plain edit" aria-label={`Delete ${title}`} onClick={remove}>
        Delete
      </button>
      <button
        type="button"
        class="plain edit"
        aria-expanded={isEditing}
        aria-label={`${isEditing ? "Close the editor of" : "Edit"} ${title}`}
        onClick={() => showView({ rule: isEditing ? "" : id })}
      >
        <Icon name="edit" /> {isEditing ? "Close" : "Edit"}
      </button>
    </div>
  );
}

interface MoveProps extends Pick<Props, "id" | "title" | "count"> {
  readonly word: "up" | "down";
  readonly named: object;
  /** Of the rule, from 0. */
  readonly place: number;
}

/** At an end of the list it does nothing, but keeps the focus. */
function MoveButton({ word, id, title, named, place, count }: MoveProps) {
  const index = place + (word === "up" ? 0 : 2);
  const isPossible = index >= 1 && index <= count;
  const own = `${word}-${id}`;
  return (
    <button
      id={own}
      type="button"
      class="plain edit"
      aria-label={`Move ${title} ${word}`}
      aria-disabled={!isPossible}
      onClick={() => {
        if (isPossible)
          void change("rule/move", { ...named, index }, `${title} is rule ${index} of ${count}.`, own);
      }}
    >
      <Icon name={word} />
    </button>
  );
}

/** The result for people who do not see the list. */
export function OrderNote() {
  const note = orderNote.value;
  return (
    <p role="status" class={note?.isError ? "note error" : "visually-hidden"}>
      {note?.text}
    </p>
  );
}
