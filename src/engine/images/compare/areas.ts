/** Rectangles of a picture, in pixels. */

/** A rectangle; right and bottom are exclusive. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The areas of a side that cover an area, those at its right and bottom cut off. */
export function* areasIn(
  { left: from, top: start, right: to, bottom: end }: Area,
  side: number,
): Generator<Area> {
  for (let top = start; top < end; top += side) {
    for (let left = from; left < to; left += side) {
      yield { left, top, right: Math.min(left + side, to), bottom: Math.min(top + side, end) };
    }
  }
}

/** An area that is cut off at an edge is moved inside, so that every area of a side has the same weight. */
export function moveInside({ right, bottom }: Area, frame: Area, side: number): Area {
  return {
    left: Math.max(frame.left, right - side),
    top: Math.max(frame.top, bottom - side),
    right,
    bottom,
  };
}
