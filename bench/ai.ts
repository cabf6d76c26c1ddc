import { simulateAnomalies } from './ai-anomaly.ts';
import { abstainedShare } from './ai-causes.ts';
import { aboutCis } from './ai-cmdb.ts';
import { aboutForecasts } from './ai-forecast.ts';
import { latency } from './ai-latency.ts';
import { aboutQuestions } from './ai-questions.ts';
import { aboutSearches } from './ai-search.ts';
import { servicesFound } from './ai-services.ts';
import type { Row } from './report.ts';

const SEEDS = [1, 2, 3];
const PER_DAY = [50, 500, 5_000];
const GROUPS = 30;

interface Options {
  readonly directory: string;
  readonly scale: number;
  readonly progress: (text: string) => void;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function anomalies({ scale, progress }: Options): Row[] {
  return PER_DAY.filter((perDay) => scale === 1 || perDay <= 500).flatMap((perDay): Row[] => {
    progress(`anomalies: ${perDay} events a day`);
    const found = SEEDS.map((seed) => simulateAnomalies(perDay, seed));
    const [auc, loud] = [mean(found.map((one) => one.auc)), mean(found.map((one) => one.loud))];
    const what = `anomalies, ${perDay} events a day`;
    return [
      { what: `${what}: AUC`, value: auc, unit: '', target: '≥ 0.80', met: auc >= 0.8 },
      { what: `${what}: noise scored 0.95 or more`, value: loud * 100, unit: '%', target: '≤ 2', met: loud <= 0.02 },
    ];
  });
}

function causes(): Row {
  const share = mean(SEEDS.map((seed) => abstainedShare(GROUPS, seed)));
  return {
    what: `${GROUPS} groups without a cause: none named`,
    value: share * 100,
    unit: '%',
    target: '≥ 90',
    met: share >= 0.9,
  };
}

/** Figures of the analysis of events. */
export const ai = async (options: Options): Promise<Row[]> => [
  ...anomalies(options),
  causes(),
  ...aboutQuestions(),
  ...(await aboutSearches()),
  ...aboutForecasts(),
  ...servicesFound(options.scale, options.progress),
  await latency(options.directory, options.progress),
  ...(await aboutCis({ ...options, directory: `${options.directory}-cis` })),
];
