import { z } from 'zod';

/** Fields that CIs and relationships have alike. */

/** Names, types, external keys. */
export const name = z.string().min(1).max(255);
const key = z.string().max(256);
const JSON_BYTES = 64 * 1_024;
/** No character of UTF-16 takes more bytes in UTF-8. */
const MOST_BYTES = 3;
/** Whether attributes or details may be kept; patches can make them grow. */
export const fits = (bag: unknown): boolean => {
  const text = JSON.stringify(bag);
  return text.length * MOST_BYTES <= JSON_BYTES || Buffer.byteLength(text) <= JSON_BYTES;
};
export const TOO_MUCH = 'expected at most 64 KiB of JSON';
export const bag = z.record(key, z.unknown()).refine(fits, { error: TOO_MUCH });
