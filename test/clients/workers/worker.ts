/** A Worker with the provider's types, whose binding and `fetch` are those of the package. */
import { createEdge } from "edgeproof";
import { createImageFetch, imagesBinding } from "edgeproof/images";

interface Env {
  readonly IMAGES: ImagesBinding;
}

const worker = {
  async fetch(request: Request, { IMAGES }: Env): Promise<Response> {
    const mark = IMAGES.input(request.clone().body as ReadableStream<Uint8Array>).transform({ width: 2 });
    const result = await IMAGES.input(request.body as ReadableStream<Uint8Array>)
      .transform({ rotate: 90, width: 10, trim: { left: 1, border: false } })
      .draw(mark, { top: 0, left: 0, composite: "atop" })
      .draw(IMAGES.text("new", { font: { url: "https://shop.example/a.otf" }, size: 8, color: "#fff" }), {
        top: 0,
      })
      .output({ format: "image/png", background: "white" });
    return result.response({ headers: { "cache-control": "max-age=60" } });
  },
} satisfies { fetch(request: Request, env: Env): Promise<Response> };

const edge = createEdge({
  world: { zones: [{ id: "z1", name: "shop.example", settings: { transformations: "on" } }] },
  imageSource: () => new Response("none", { status: 404 }),
});

export function answer(picture: ArrayBuffer): Promise<Response> {
  const request = new Request("https://shop.example/a", { method: "POST", body: picture });
  return worker.fetch(request, { IMAGES: imagesBinding({ target: { edge, account: "a1" } }) });
}

const workerFetch: typeof fetch = createImageFetch(edge);

export function transformed(): Promise<Response> {
  return workerFetch("https://shop.example/a.png", {
    cf: { image: { width: 9, fit: "cover", format: "webp" } },
  });
}

export async function listed(): Promise<readonly ImageMetadata[]> {
  const hosted: HostedImagesBinding = imagesBinding({ target: { edge, account: "a1" } }).hosted;
  return (await hosted.list({ filter: { metadata: { n: { gte: 1 } } } })).images;
}

export function misspelled(binding: ImagesBinding, stream: ReadableStream<Uint8Array>): ImageTransformer {
  // @ts-expect-error the types are the provider's: a misspelled option does not compile
  return binding.input(stream).transform({ widht: 1 });
}
