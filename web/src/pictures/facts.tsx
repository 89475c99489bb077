/** Pixels, bytes, format and time of a picture. */
import type { LoadedPicture } from "../data.ts";
import { bytesText, changeText, formatText, pixelsText } from "./renditions.ts";

interface FactsProps {
  readonly picture: LoadedPicture;
  /** The picture as it was. */
  readonly original?: LoadedPicture | undefined;
}

/** The facts. */
export function Facts({ picture: { blob, facts }, original }: FactsProps) {
  return (
    <p class="facts">
      <span>{pixelsText(facts)}</span>
      <span>
        <strong>{bytesText(blob.size)}</strong>
      </span>
      {original && <span>{changeText(original.blob.size, blob.size)}</span>}
      <span>{formatText(facts.type)}</span>
      {facts.ms !== undefined && <span>{facts.ms} ms</span>}
    </p>
  );
}
