import { z } from 'zod';
import { DURATION_UNITS } from '#domain/access/expiry.ts';
import { digitsPattern } from './common.ts';

const DURATION = /^\d{1,9}\s*[smhdw]$/;

interface Bounds {
  /** 1 if it must not be zero. */
  readonly least: 0 | 1;
  /** Maximum in ms. */
  readonly most: number;
}
const bounded = ({ least, most }: Bounds): readonly string[] =>
  Object.entries(DURATION_UNITS)
    .filter(([, ms]) => ms <= most)
    .map(([unit, ms]) => `${digitsPattern(least, Math.floor(most / ms), 9)}\\s*${unit}`);

/** `90d`; or one of these words. The bounds are for readers of the document: each use has its own error text. */
export const duration = (bounds: Bounds, ...words: readonly string[]) =>
  z
    .string()
    .max(32)
    .refine(
      (text) => DURATION.test(text.trim()) || words.includes(text.trim()),
      'expected a number and a unit s, m, h, d or w, for example 90d',
    )
    .meta({ pattern: `^\\s*(?:${[...bounded(bounds), ...words].join('|')})\\s*$` });
