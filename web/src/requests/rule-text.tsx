/** The expression of a rule with the value of each part beside its own text, and titles beside the ids of configurations. */
import type { ConfigView, LeafView } from "../../../src/workbench/messages.ts";
import { zone } from "./request-state.ts";

interface Props {
  readonly expression: string;
  /** The parts with their values; none when the rule was not reached. */
  readonly leaves: readonly LeafView[];
}

/** The marked text. */
export function RuleText({ expression, leaves }: Props) {
  const configs = zone.value?.configs ?? [];
  const pieces: { readonly text: string; readonly leaf?: LeafView }[] = [];
  let at = 0;
  for (const leaf of leaves) {
    pieces.push(
      { text: expression.slice(at, leaf.start) },
      { text: expression.slice(leaf.start, leaf.end), leaf },
    );
    at = leaf.end;
  }
  pieces.push({ text: expression.slice(at) });
  return (
    <p class="expression">
      <code>
        {pieces.map(({ text, leaf }, i) =>
          leaf ? (
            <span key={i} class={`leaf ${toneOf(leaf)}`}>
              <Titled text={text} configs={configs} />
              <span class="leaf-value">{wordOf(leaf)}</span>
            </span>
          ) : (
            <Titled key={i} text={text} configs={configs} />
          ),
        )}
      </code>
    </p>
  );
}

const call = /(is_jwt_(?:valid|present)\s*\(\s*"([^"]*)"\s*\))/;

/** Each call that names a configuration is followed by its title. */
function Titled({ text, configs }: { readonly text: string; readonly configs: readonly ConfigView[] }) {
  // The pattern has two groups, so that of three parts the second is the call and the third its id.
  const parts = text.split(call);
  return (
    <>
      {parts.map((part, i) => {
        if (i % 3 !== 2) return part;
        const title = configs.find(({ id }) => id === part.toLowerCase())?.title;
        return title ? (
          <span key={i} class="config-title">
            {title}
          </span>
        ) : null;
      })}
    </>
  );
}

function toneOf({ value }: LeafView): string {
  return value === null ? "unknown" : value ? "true" : "false";
}

/** The value in words, with the reason. */
export function wordOf({ value, reason }: Pick<LeafView, "value" | "reason">): string {
  if (value === null) return reason ?? "not evaluated";
  const word = value ? "true" : "false";
  return reason === undefined || reason === "valid" ? word : `${word}: ${reason.replaceAll("_", " ")}`;
}
