/** The state of the screen Pictures: the chosen picture, and its renderings through all variants and fits. */
import { computed, effect, signal } from "@preact/signals";
import type { ImagesView, VariantView } from "../../../src/workbench/image-messages.ts";
import { type LoadedPicture, messageOf, readData, readPicture, sendFile } from "../data.ts";
import { accountId } from "../overview.ts";
import { showView, view } from "../view-state.ts";
import { fitsOf, type Rendition, readBox, renditionsOf } from "./renditions.ts";

/** A file that was dropped: accepted with its facts, or rejected with a reason. It is kept until the page is closed. */
export interface DroppedFile {
  readonly name: string;
  readonly picture?: LoadedPicture;
  readonly reason?: string;
}

/** A rendering: under way when it has neither a picture nor a reason. */
export interface Rendered {
  readonly picture?: LoadedPicture;
  /** Why the picture cannot be rendered. */
  readonly reason?: string;
}

/** Variants, keys and a page of the stored images; undefined until they have arrived. */
export const images = signal<ImagesView | undefined>(undefined);

/** Why something could not be read. */
export const pictureError = signal<string | undefined>(undefined);

/** The dropped files, newest first. */
export const dropped = signal<readonly DroppedFile[]>([]);

/** The dropped file that is shown in place of a stored image. */
export const shownFile = signal<DroppedFile | undefined>(undefined);

/** The picture as it is. */
export const before = signal<LoadedPicture | undefined>(undefined);

/** The renderings by key. */
export const rendered = signal<Readonly<Record<string, Rendered>>>({});

/** Id of the stored image that the address names, or of the first one. */
export const imageId = computed(() => view.value["image"] ?? images.value?.images[0]?.id ?? "");

const boxText = computed(() => view.value["box"]);

/** The box of the fits, in pixels. */
export const box = computed(() => readBox(boxText.value));

/** Value of `Accept` in the request for a picture. */
export const accept = computed(() => accepts[view.value["accept"] ?? ""] ?? "");

const accepts: Readonly<Record<string, string>> = { webp: "image/webp", avif: "image/avif,image/webp" };

/** The rendered variants: the stored ones, then each fit. */
export const renditions = computed((): readonly Rendition[] => [
  ...renditionsOf(images.value?.variants ?? []),
  ...fitsOf(box.value),
]);

/** The rendering beside the picture as it is. */
export const compared = computed(
  () => renditions.value.find(({ key }) => key === view.value["shown"]) ?? renditions.value[0],
);

/** The stored variants. */
export function variants(): readonly VariantView[] {
  return images.value?.variants ?? [];
}

/** Shows a stored image. */
export function chooseImage(id: string): void {
  shownFile.value = undefined;
  showView({ image: id }, true);
}

/** Checks files as uploads; the first accepted one is shown. Nothing is stored. */
export async function dropFiles(files: Iterable<File>): Promise<void> {
  let isFirst = true;
  for (const file of files) {
    const checked = await checkFile(file);
    dropped.value = [checked, ...dropped.value.filter(({ name }) => name !== file.name)];
    if (checked.picture && isFirst) {
      shownFile.value = checked;
      isFirst = false;
    }
  }
}

async function checkFile(file: File): Promise<DroppedFile> {
  try {
    return { name: file.name, picture: await sendFile("images/validate", {}, file) };
  } catch (error) {
    return { name: file.name, reason: messageOf(error) };
  }
}

async function loadImages(account: string): Promise<void> {
  images.value = undefined;
  try {
    images.value = await readData<ImagesView>("images", { account });
    pictureError.value = undefined;
  } catch (error) {
    pictureError.value = messageOf(error);
  }
}

/** Renders one after the other, so that the times are those of each rendering alone. */
async function renderAll(signal: AbortSignal): Promise<void> {
  const account = accountId.value;
  const list = renditions.value;
  const file = shownFile.value?.picture;
  const asked = { account, accept: accept.value, ...(file ? {} : { image: imageId.value }) };
  rendered.value = {};
  before.value = file;
  if (!file && imageId.value === "") return;
  try {
    before.value = file ?? (await readPicture("images/original", asked));
    pictureError.value = undefined;
  } catch (error) {
    if (!signal.aborted) pictureError.value = messageOf(error);
    return;
  }
  for (const { key, query } of list) {
    if (signal.aborted) return;
    const result = await renderOne({ ...asked, ...query }, file?.blob);
    if (!signal.aborted) rendered.value = { ...rendered.value, [key]: result };
  }
}

async function renderOne(query: Readonly<Record<string, string>>, file: Blob | undefined): Promise<Rendered> {
  try {
    return { picture: await sendFile("images/render", query, file) };
  } catch (error) {
    return { reason: messageOf(error) };
  }
}

/** Delay after the last change of the box, in milliseconds. */
const typingMs = 250;

/** Keeps images and renderings up to date while the screen is shown. @returns ends it */
export function followPictures(): () => void {
  const ends = [
    effect(() => {
      if (accountId.value !== "") void loadImages(accountId.value);
    }),
    effect(() => {
      if (images.value === undefined) return undefined;
      void [imageId.value, shownFile.value, accept.value, box.value];
      const stop = new AbortController();
      const timer = setTimeout(() => void renderAll(stop.signal), typingMs);
      return () => {
        clearTimeout(timer);
        stop.abort();
      };
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
