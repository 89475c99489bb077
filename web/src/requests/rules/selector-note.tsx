/** The operations that a rule covers, and why it does not match the operation of the request. */
import type { OperationView, RuleView, VerdictView } from "../../../../src/workbench/messages.ts";
import { shownVerdict, zone } from "../request-state.ts";
import { type Mismatch, mismatchOf } from "./mismatch.ts";

const words: Readonly<Record<Mismatch, string>> = {
  "no-operation": "The request is not one of the zone's operations, so no rule matches it.",
  "no-hosts": "Its selector has no host, so it matches no request.",
  host: "Its selector does not have the host of this request.",
  excluded: "Its selector leaves out the operation of this request.",
};

/** The note. */
export function SelectorNote({ rule: { selector } }: { readonly rule: Pick<RuleView, "selector"> }) {
  const { hosts, excluded } = selector;
  const operations = zone.value?.operations ?? [];
  const reason = shownVerdict.value && mismatchOf(selector, operationOf(shownVerdict.value, operations));
  return (
    <div class="selector">
      {reason !== undefined && <p>{words[reason]}</p>}
      <p class="quiet">
        Covers{" "}
        {hosts.length === 0
          ? "no host"
          : hosts.map((host, i) => [i > 0 && ", ", <code key={host}>{host}</code>])}
        {excluded.length > 0 &&
          `, without ${excluded.length === 1 ? "1 operation" : `${excluded.length} operations`}`}
      </p>
      {excluded.length > 0 && (
        <details>
          <summary>Left out</summary>
          <ul class="tree">
            {excluded.map((id) => (
              <li key={id}>
                <code>{operations.find((operation) => operation.id === id)?.title ?? id}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** Undefined when the request matches no operation; without a list of operations its host is all that is known of it. */
function operationOf(
  { operationId, operation }: VerdictView,
  operations: readonly OperationView[],
): Pick<OperationView, "id" | "host"> | undefined {
  if (operationId === undefined || operation === undefined) return undefined;
  const host = operation.split(" ", 2)[1]?.split("/", 1)[0] ?? "";
  return operations.find(({ id }) => id === operationId) ?? { id: operationId, host };
}
