/** The choice of the zone or the account whose data is shown. */
import { accountId, overview, zoneId } from "./overview.ts";
import { showView } from "./view-state.ts";

/** The members of the address that are ids of a zone or of an account. */
const idsOf = { zone: { rule: "", app: "" }, account: { query: "", min: "", image: "" } } as const;

/** Titles where there are titles; a store without a list of zones or accounts accepts any id. */
export function ScopeChoice({ scope }: { readonly scope: "zone" | "account" }) {
  if (overview.value === undefined) return null;
  const { zones, accounts } = overview.value;
  const known = scope === "zone" ? zones : accounts;
  const id = scope === "zone" ? zoneId.value : accountId.value;
  const title = scope === "zone" ? "Zone" : "Account";
  const choose = (chosen: string) => showView({ ...idsOf[scope], [scope]: chosen }, true);
  if (known.length === 0) {
    return (
      <label class="zone">
        <span>{title} id</span>
        <input
          type="text"
          value={id}
          spellcheck={false}
          onChange={(event) => choose(event.currentTarget.value.trim())}
        />
      </label>
    );
  }
  return (
    <label class="zone">
      <span>{title}</span>
      <select value={id} onChange={(event) => choose(event.currentTarget.value)}>
        {known.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
