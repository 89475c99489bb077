/** Small pictures beside words; they say nothing that the words do not. */

/** Strokes in a square of 24 by 24. */
const strokes = {
  requests: "M12 3l7 3v5c0 4.6-2.9 8.2-7 10-4.1-1.8-7-5.4-7-10V6zM9 11.5l2.2 2.2 4-4",
  applications: "M4 5h16v5H4zM4 14h16v5H4zM8 7.5h.01M8 16.5h.01",
  names: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5l5 5",
  pictures: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01",
  allow: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12.3l2.8 2.7L16 9.5",
  log: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.5 9.5h7M8.5 12.5h7M8.5 15.5h4",
  block: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM5.7 5.7l12.6 12.6",
  challenge: "M12 3l9 16H3zM12 9.5v4.5M12 16.6h.01",
  undecided:
    "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.6a2.5 2.5 0 1 1 3.6 2.3c-.7.3-1.1.9-1.1 1.7M12 16.6h.01",
  add: "M12 5v14M5 12h14",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  file: "M12 15V4M8 8l4-4 4 4M4 15v5h16v-5",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof strokes;

/** The icon. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={strokes[name]} />
    </svg>
  );
}
