import { z } from 'zod';

/** Fields that CIs and relationships have alike. */

/** Names, types, external keys. */
export const name = z.string().min(1).max(255);
const key = z.string().max(256);
const JSON_BYTES = 64 * 1_024;
/** Whether attributes may be kept; patches can make them grow. */
export const fits = (attributes: unknown): boolean => JSON.stringify(attributes).length <= JSON_BYTES;
export const TOO_MUCH = 'expected at most 64 KiB of JSON';
export const bag = z.record(key, z.unknown()).refine(fits, { error: TOO_MUCH });
