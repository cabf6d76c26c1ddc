import { count, number } from '#console/text/counts.ts';
import type { LandscapeCounts } from './api.ts';
import * as text from './texts.ts';

/** `42 CIs, 3 with open events`. */
export const countWords = ({ cis, affected }: LandscapeCounts): string => {
  const all = count(cis, 'CI');
  if (affected === 0) return all;
  return cis === 1 ? text.withEvents(all) : `${all}, ${text.withEvents(number(affected))}`;
};
