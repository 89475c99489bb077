/** Settings of image hosting: flexible variants, and the time that browsers keep images. */
import { imageConfigPatch } from "../../schemas/images.ts";
import {
  defaultImageConfig,
  type ImageAccountRecord,
  type ImageConfig,
  imagesScope,
} from "../../store/records/images.ts";
import type { ServiceContext } from "../context.ts";
import { decode } from "../decode.ts";
import { inQueue, openAccount } from "./account.ts";

/** Settings of an account. */
export interface ImageConfigService {
  /** All settings. */
  get(account: string): Promise<ImageConfig>;
  /** Changes the settings that the body has. @throws {ApiError} 5400 for an invalid or an unknown one */
  edit(account: string, body: unknown): Promise<ImageConfig>;
}

export function imageConfigService(context: ServiceContext): ImageConfigService {
  return {
    get: async (account) => configOf(await openAccount(context, account)),
    edit: async (account, body) => {
      const change = decode(imageConfigPatch, body, { area: "images" });
      await openAccount(context, account);
      return context.store.write(async (tx) => {
        const record = (await tx.get("image_accounts", imagesScope, account)) as ImageAccountRecord;
        const config = { ...configOf(record), ...change };
        await tx.replace("image_accounts", { ...record, config });
        return config;
      }, inQueue(account));
    },
  };
}

/** The settings of an account, defaults filled in. */
export function configOf({ config }: Pick<ImageAccountRecord, "config">): ImageConfig {
  return { ...defaultImageConfig, ...config };
}
