import { capital } from '#domain/text.ts';
import type { ListedChangeData } from './api.ts';
import * as text from './texts.ts';

/** `High, 52 of 100`; `–` for reported changes. */
export const riskWords = ({ riskLevel, riskScore }: Pick<ListedChangeData, 'riskLevel' | 'riskScore'>): string =>
  riskLevel === null || riskScore === null ? '–' : text.riskOf(capital(riskLevel), riskScore);
