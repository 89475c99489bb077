/** Makes keys, adds their public halves to the rules, and signs tokens with them. */
import { useSignal } from "@preact/signals";
import { CopyButton } from "../../parts/copy-button.tsx";
import { zone } from "../../requests/request-state.ts";
import type { ClaimsForm } from "./claims-form.ts";
import { addKey, claims, createKey, keyNote, keys, signed, signToken } from "./keys-state.ts";

const algorithms = [
  "ES256",
  "ES384",
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "HS256",
  "HS384",
  "HS512",
] as const;

/** The panel. */
export function KeysPanel() {
  const note = keyNote.value;
  return (
    <section class="panel later" aria-labelledby="keys-title">
      <details>
        <summary>
          <h2 id="keys-title">Your own keys and tokens</h2>
        </summary>
        <p class="quiet">Private keys are made on this page and stay in this tab. Use them for tests only.</p>
        <NewKey />
        {keys.value.length > 0 && <TokenForm />}
        <div role="status" class={note?.isError ? "note error" : "note"}>
          {note && <p>{note.text}</p>}
        </div>
        {signed.value !== undefined && (
          <div class="field">
            <label for="signed-token">The signed token</label>
            <input id="signed-token" type="text" readOnly value={signed.value} />
            <CopyButton label="Copy" what="token" text={signed.value} />
          </div>
        )}
      </details>
    </section>
  );
}

function NewKey() {
  const alg = useSignal<string>(algorithms[0]);
  const kid = useSignal("my-key");
  return (
    <div class="request-line">
      <label>
        <span>Algorithm</span>
        <select
          value={alg.value}
          onChange={(event) => {
            alg.value = event.currentTarget.value;
          }}
        >
          {algorithms.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="grow">
        <span>Key id (kid)</span>
        <input
          type="text"
          spellcheck={false}
          autocomplete="off"
          value={kid.value}
          onInput={(event) => {
            kid.value = event.currentTarget.value;
          }}
        />
      </label>
      <button type="button" onClick={() => void createKey(alg.value, kid.value)}>
        Make a key
      </button>
    </div>
  );
}

/** In place of the id of a configuration. */
const newConfig = "";

function TokenForm() {
  const chosen = useSignal(0);
  const config = useSignal<string | undefined>(undefined);
  const configs = zone.value?.configs ?? [];
  const key = keys.value[chosen.value] ?? keys.value[0];
  const id = config.value ?? configs[0]?.id ?? newConfig;
  if (!key) return null;
  return (
    <>
      <div class="request-line">
        <label class="grow">
          <span>Key</span>
          <select
            value={keys.value.indexOf(key)}
            onChange={(event) => {
              chosen.value = Number(event.currentTarget.value);
            }}
          >
            {keys.value.map(({ alg, kid }, i) => (
              <option key={`${alg} ${kid}`} value={i}>
                {kid} ({alg})
              </option>
            ))}
          </select>
        </label>
        <label class="grow">
          <span>Configuration</span>
          <select
            value={id}
            onChange={(event) => {
              config.value = event.currentTarget.value;
            }}
          >
            {configs.map((view) => (
              <option key={view.id} value={view.id}>
                {view.title || view.id}
              </option>
            ))}
            <option value={newConfig}>a new one</option>
          </select>
        </label>
      </div>
      <div class="row">
        <button type="button" onClick={() => void addKey(key, id)}>
          {key.alg.startsWith("HS") ? "Add the shared secret" : "Add the public key"}
        </button>
      </div>
      <ClaimsFields />
      <div class="row">
        <button type="button" onClick={() => void signToken(key, id)}>
          Sign a token
        </button>
      </div>
    </>
  );
}

const fields = {
  sub: "Subject (sub)",
  iss: "Issuer (iss)",
  aud: "Audience (aud), several with spaces",
  exp: "Expires (exp), in seconds from now",
  nbf: "Valid from (nbf), in seconds from now",
} as const satisfies Partial<Record<keyof ClaimsForm, string>>;

function ClaimsFields() {
  const change = (changed: Partial<ClaimsForm>) => {
    claims.value = { ...claims.value, ...changed };
  };
  return (
    <fieldset class="request-fields">
      <legend>Claims</legend>
      {(Object.keys(fields) as (keyof typeof fields)[]).map((name) => (
        <label key={name} class="field">
          <span>{fields[name]}</span>
          <input
            type="text"
            spellcheck={false}
            autocomplete="off"
            value={claims.value[name]}
            onInput={(event) => change({ [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      <label class="field">
        <span>Other claims, as a JSON object</span>
        <textarea
          rows={2}
          spellcheck={false}
          autocomplete="off"
          placeholder='{"role": "admin"}'
          value={claims.value.others}
          onInput={(event) => change({ others: event.currentTarget.value })}
        />
      </label>
    </fieldset>
  );
}
