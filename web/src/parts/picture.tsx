/** A picture that was received with the session token, shown from memory: no address of this page is a picture. */
import { useEffect, useState } from "preact/hooks";

interface PictureProps {
  readonly blob: Blob;
  /** The subject of the picture. */
  readonly alt: string;
  /** Marks a part, in pixels of the picture. */
  readonly box?: Box | undefined;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The picture. */
export function Picture({ blob, alt, box }: PictureProps) {
  const [address, setAddress] = useState<string>();
  const [size, setSize] = useState<{ readonly width: number; readonly height: number }>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const created = URL.createObjectURL(blob);
    setAddress(created);
    setBroken(false);
    return () => URL.revokeObjectURL(created);
  }, [blob]);
  if (isBroken) return <p class="note error">This browser cannot show the picture.</p>;
  return (
    <span class="picture">
      <img
        src={address}
        alt={alt}
        onError={() => setBroken(true)}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          setSize({ width, height })
        }
      />
      {box && size && (
        <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
          <rect class="box-edge" {...box} />
          <rect class="box" {...box} />
        </svg>
      )}
    </span>
  );
}
