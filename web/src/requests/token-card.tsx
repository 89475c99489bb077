/** A decoded token: the outcome of its check, its claims, and its times in words. */
import type { TokenView } from "../../../src/workbench/messages.ts";
import { Scroller } from "../parts/scroller.tsx";
import { describeTime } from "./human-time.ts";

/** Outcomes in words. */
const reasons: Readonly<Record<string, string>> = {
  missing: "missing",
  malformed: "malformed",
  unsupported_header: "unsupported header",
  unknown_key: "unknown key",
  algorithm_mismatch: "other algorithm",
  bad_signature: "bad signature",
  expired: "expired",
  not_yet_valid: "not yet valid",
  valid: "valid",
};

const times: Readonly<Record<string, string>> = { exp: "expires", nbf: "valid from", iat: "issued" };

/** The card. */
export function TokenCard({ token, nowMs }: { readonly token: TokenView; readonly nowMs: number }) {
  const { title, configId, present, reason, detail, source, header, claims } = token;
  const word =
    reason === undefined ? (present ? "present, not checked" : "missing") : (reasons[reason] ?? reason);
  return (
    <article class="token" aria-label={`Token ${title || configId}`}>
      <h3>
        {title || configId}{" "}
        <span class={reason === "valid" ? "chip good" : reason ? "chip bad" : "chip"}>{word}</span>
      </h3>
      {detail !== undefined && !(claims && (reason === "expired" || reason === "not_yet_valid")) && (
        <p>{detail}</p>
      )}
      {source !== undefined && (
        <p class="quiet">
          from <code>{source}</code>
        </p>
      )}
      {claims && <Times claims={claims} nowMs={nowMs} />}
      {(header ?? claims) && (
        <details>
          <summary>Decoded, signature left out</summary>
          {header && <Members title="Header" value={header} />}
          {claims && <Members title="Claims" value={claims} />}
        </details>
      )}
    </article>
  );
}

function Times({
  claims,
  nowMs,
}: {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly nowMs: number;
}) {
  const shown = Object.entries(times).flatMap(([name, word]) => {
    const value = claims[name];
    return typeof value === "number" ? [{ name, word, ...describeTime(value, nowMs) }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <ul class="times">
      {shown.map(({ name, word, words, exact }) => (
        <li key={name}>
          <span class="time-word">
            {name === "exp" && words.endsWith("ago") ? "expired" : word} <strong>{words}</strong>
          </span>{" "}
          <span class="quiet">
            <code>{name}</code> {exact}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Members({
  title,
  value,
}: {
  readonly title: string;
  readonly value: Readonly<Record<string, unknown>>;
}) {
  return (
    <>
      <h4>{title}</h4>
      <Scroller label={title}>
        <pre class="json">
          <code>{JSON.stringify(value, null, 2)}</code>
        </pre>
      </Scroller>
    </>
  );
}
