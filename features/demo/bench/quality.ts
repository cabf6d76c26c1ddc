/**
 * Quality of groups, causes and confidence on the demo's days, compared with the truth of their generator; each seed on
 * a server of its own.
 */

import type { Screen } from '#cli/terminal/screen.ts';
import { type Measures, shareOf } from '#features/demo/cli/show/measures.ts';
import { demonstrate } from '#features/demo/cli/show/run.ts';
import type { Score } from '#features/demo/cli/show/score.ts';
import { systemClock } from '#infra/system/time.ts';
import type { Row } from '../../../bench/report.ts';
import { startServer } from '../../../bench/server.ts';
import { TOKEN } from '../../../bench/token.ts';

export interface QualityBench {
  readonly seeds: readonly number[];
  readonly progress: (text: string) => void;
}

const SILENT: Screen = { print: () => {}, isTerminal: false };

interface Day {
  readonly seed: number;
  readonly measures: Measures;
  readonly score: Score;
}

const dayOf = async (seed: number): Promise<Day> => {
  const server = await startServer(':memory:');
  try {
    const options = { seed, now: systemClock.now(), profiles: ['calibrated'] } as const;
    const { reports } = await demonstrate({ url: server.url, token: TOKEN }, options, SILENT);
    const { measures, score } = reports[0]!;
    return { seed, measures, score };
  } finally {
    await server.stop();
  }
};

const mean = (values: readonly (number | null)[]): number => {
  const known = values.filter((value) => value !== null);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
};
type Counted = { [K in keyof Measures]: Measures[K] extends { readonly hits: number } ? K : never }[keyof Measures];

/** Returns the measure of all days together. */
const pooled = (days: readonly Day[], name: Counted): Measures[Counted] =>
  shareOf(
    days.reduce((sum, { measures }) => sum + measures[name].hits, 0),
    days.reduce((sum, { measures }) => sum + measures[name].of, 0),
  );

const rowsOfDay = ({ seed, measures: { f1, noiseGrouped, noiseGroups, hit1, hit3, ece }, score }: Day): Row => ({
  what: `the demo's day of seed ${seed}: pair F1`,
  value: f1 ?? Number.NaN,
  unit: '',
  note:
    `precision ${score.precision?.toFixed(2)}, recall ${score.recall?.toFixed(2)}, noise grouped ${noiseGrouped.hits}/${noiseGrouped.of}, groups of noise ${noiseGroups.hits}/${noiseGroups.of}, ` +
    `event first ${score.causes.first}/${score.causes.known}, hit@1 ${hit1.hits}, hit@3 ${hit3.hits}, ECE ${ece?.toFixed(3)}`,
});

export const quality = async ({ seeds, progress }: QualityBench): Promise<Row[]> => {
  const days: Day[] = [];
  for (const seed of seeds) {
    progress(`quality: seed ${seed}`);
    days.push(await dayOf(seed));
  }
  const share = (what: string, name: Counted): Row => {
    const { hits, of, share: value } = pooled(days, name);
    return { what, value: value ?? Number.NaN, unit: '', note: `${hits} of ${of}, all seeds together` };
  };
  const f1 = mean(days.map(({ measures }) => measures.f1));
  const noise = share('noise grouped, after the hours of learning', 'noiseGrouped');
  const first = days.reduce((sum, { score }) => sum + score.causes.first, 0);
  const known = days.reduce((sum, { score }) => sum + score.causes.known, 0);
  return [
    ...days.map(rowsOfDay),
    { what: 'pair F1, mean over seeds', value: f1, unit: '', target: '≥ 0.97', met: f1 >= 0.97 },
    { ...noise, target: '≤ 0.15', met: noise.value <= 0.15 },
    share('groups of three or more that are mostly noise', 'noiseGroups'),
    {
      what: 'the event of the cause at first place',
      value: first / known,
      unit: '',
      target: '1',
      met: first === known,
      note: `${first} of ${known}`,
    },
    share('hit@1: its CI', 'hit1'),
    share('hit@3', 'hit3'),
    { what: 'ECE, mean over seeds', value: mean(days.map(({ measures }) => measures.ece)), unit: '' },
  ];
};
