import { z } from 'zod';
import { fits, TOO_MUCH } from '#domain/bag.ts';

/** Fields that CIs and relationships have alike. */

/** Names, types, external keys. */
export const name = z.string().min(1).max(255);
/** Of a relationship; what is left of it when it is written in one form. */
export const typeName = name.refine((text) => text.trim() !== '', { error: 'expected a name' });
const key = z.string().max(256);
export const bag = z.record(key, z.unknown()).refine(fits, { error: TOO_MUCH });
