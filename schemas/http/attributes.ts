import { z } from 'zod';
import { fits } from '#domain/bag.ts';

/** Fields that CIs and relationships have alike. */

/** Names, types, external keys. */
export const name = z.string().min(1).max(255);
const key = z.string().max(256);
export const TOO_MUCH = 'expected at most 64 KiB of JSON';
export const bag = z.record(key, z.unknown()).refine(fits, { error: TOO_MUCH });
