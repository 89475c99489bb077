/** Makes signed delivery addresses of a stored image. The value of a key stays on the server. */
import { useSignal } from "@preact/signals";
import type { SignedAddress } from "../../../src/workbench/image-messages.ts";
import { messageOf, sendData } from "../data.ts";
import { accountId } from "../overview.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { imageId, images, shownFile, variants } from "./picture-state.ts";

/** Lifetimes in seconds; 0 never ends. */
const lifetimes = [
  [900, "in 15 minutes"],
  [3_600, "in an hour"],
  [86_400, "in a day"],
  [604_800, "in 7 days"],
  [0, "never"],
] as const;

/** The panel; only stored images have addresses. */
export function SignPanel() {
  if (images.value === undefined || imageId.value === "" || shownFile.value !== undefined) return null;
  return <SignForm key={imageId.value} />;
}

function SignForm() {
  const variant = useSignal(variants()[0]?.id ?? "");
  const key = useSignal(images.value?.keys[0] ?? "");
  const seconds = useSignal(3_600);
  const signed = useSignal<SignedAddress | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  const sign = async () => {
    const expiry = seconds.value === 0 ? {} : { expiresAtMs: Date.now() + seconds.value * 1000 };
    const body = { account: accountId.value, image: imageId.value, variant: variant.value, key: key.value };
    try {
      signed.value = await sendData<SignedAddress>("images/sign", { ...body, ...expiry });
      error.value = undefined;
    } catch (reason) {
      signed.value = undefined;
      error.value = messageOf(reason);
    }
  };
  return (
    <section class="panel" aria-labelledby="sign-title">
      <h2 id="sign-title">Signed address</h2>
      <div class="options">
        <Choice
          label="Variant"
          value={variant.value}
          options={variants().map(({ id }) => [id, id])}
          choose={(id) => {
            variant.value = id;
          }}
        />
        <Choice
          label="Key"
          value={key.value}
          options={(images.value?.keys ?? []).map((name) => [name, name])}
          choose={(name) => {
            key.value = name;
          }}
        />
        <Choice
          label="Expires"
          value={String(seconds.value)}
          options={lifetimes.map(([value, words]) => [String(value), words])}
          choose={(value) => {
            seconds.value = Number(value);
          }}
        />
      </div>
      <div class="row">
        <button type="button" onClick={() => void sign()}>
          Sign
        </button>
      </div>
      <div role="status" class="signed">
        {signed.value && <Signed signed={signed.value} />}
      </div>
      {error.value !== undefined && (
        <p class="note error" role="alert">
          {error.value}
        </p>
      )}
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly choose: (value: string) => void;
}

function Choice({ label, value, options, choose }: ChoiceProps) {
  return (
    <label class="grow">
      <span>{label}</span>
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {options.map(([id, words]) => (
          <option key={id} value={id}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function Signed({ signed: { address, isRequired, expiresAtMs } }: { readonly signed: SignedAddress }) {
  return (
    <>
      <p class="address">
        <code>{address}</code>
      </p>
      <p class="quiet">
        {expiresAtMs === undefined ? "It never expires" : `It expires at ${timeText(expiresAtMs)}`}
        {isRequired ? "." : "; the image is delivered without a signature too."}
      </p>
      <CopyButton label="Copy" what="address" text={address} />
    </>
  );
}

function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/\.\d+Z$/, "Z");
}
