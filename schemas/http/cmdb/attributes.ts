import { z } from 'zod';
import { fitsJsonLimit, TOO_MUCH } from '#domain/json-size.ts';

/** Fields that CIs and relationships have alike. */

/** Names, types, external keys; blanks around them are cut off, and blanks alone are none. */
export const name = z.string().trim().min(1).max(255);
const key = z.string().max(256);
export const bag = z.record(key, z.unknown()).refine(fitsJsonLimit, { error: TOO_MUCH });
