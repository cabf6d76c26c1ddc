import { SEVERITY_WORDS } from '#console/components/severity-shapes.ts';
import { number } from '#console/text/counts.ts';
import { percent } from '#domain/numbers.ts';
import { capital } from '#domain/text.ts';
import { lastingWords } from '#features/silences/console/silence-draft.ts';
import type { NoisyCheckData } from './api.ts';
import * as text from './texts.ts';

/** `+12% vs. the 7 days before`; a number where there was nothing before. */
export const changeWords = (now: number, before: number): string => {
  if (now === before) return text.noChange;
  if (before === 0) return text.before(number(before));
  const share = (now - before) / before;
  return text.change(`${share > 0 ? '+' : '−'}${percent(Math.abs(share))}`);
};

export const shareWords = (part: number, all: number): string => (all === 0 ? '–' : percent(part / all));

/** Address below `ui/` of the events of a check. */
export const eventsPath = ({ source, title }: Pick<NoisyCheckData, 'source' | 'title'>): string =>
  `/events?${new URLSearchParams({ source, search: lastingWords(title), timeRange: '7d' })}`;

/** `Severity info, not grouped`. */
export const ruleWords = ({ severity, grouped = true }: NonNullable<NoisyCheckData['rule']>): string => {
  const parts = [
    ...(severity === undefined ? [] : [text.severityOf(SEVERITY_WORDS[severity].toLowerCase())]),
    ...(grouped ? [] : [text.notGrouped]),
  ];
  return capital(parts.join(', '));
};
