import type { BenchParts, PartOptions } from '../../../bench/feature-parts.ts';
import type { Row } from '../../../bench/report.ts';
import { simulateAnomalies } from './anomaly.ts';
import { abstainedShare } from './causes.ts';
import { latency } from './latency.ts';

const SEEDS = [1, 2, 3];
const PER_DAY = [50, 500, 5_000];
const GROUPS = 30;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function anomalies({ scale, progress }: PartOptions): Row[] {
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

export const parts: BenchParts = {
  ai: async (options) => [...anomalies(options), causes(), await latency(options.directory, options.progress)],
};
