/** A picture of the server part, by the name of its data. */
import { useEffect, useState } from "preact/hooks";
import { messageOf, readPicture } from "../data.ts";
import { Picture } from "./picture.tsx";

interface FetchedPictureProps {
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
  readonly alt: string;
  readonly box?: Parameters<typeof Picture>[0]["box"];
}

/** The picture; until it has arrived an empty place of its size, and a message when it does not arrive. */
export function FetchedPicture({ name, query, alt, box }: FetchedPictureProps) {
  const [blob, setBlob] = useState<Blob>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    readPicture(name, query).then(
      (read) => isCurrent && setBlob(read.blob),
      (reason: unknown) => isCurrent && setError(messageOf(reason)),
    );
    return () => {
      isCurrent = false;
    };
  }, [name, JSON.stringify(query)]);
  if (error !== undefined) return <p class="note error">{error}</p>;
  if (blob === undefined) return <span class="picture" />;
  return <Picture blob={blob} alt={alt} box={box} />;
}
