import { z } from 'zod';

const DURATION = /^\d{1,9}\s*[smhdw]$/;

/** `90d`; or one of these words. How long it may be depends on what it is for. */
export const duration = (...words: readonly string[]) =>
  z
    .string()
    .max(32)
    .refine(
      (text) => DURATION.test(text.trim()) || words.includes(text.trim()),
      'expected a number and a unit s, m, h, d or w, for example 90d',
    )
    .meta({ pattern: `^\\s*(?:${['\\d{1,9}\\s*[smhdw]', ...words].join('|')})\\s*$` });
