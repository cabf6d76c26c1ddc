import { findHubs } from '#features/analyzer/rules/communities/hubs.ts';
import type { Infrastructure } from '#features/analyzer/rules/communities/infrastructure.ts';
import { louvain } from '#features/analyzer/rules/communities/louvain.ts';
import { nameWords } from '#features/analyzer/rules/communities/name-words.ts';
import { split } from '#features/analyzer/rules/communities/split.ts';
import { DEGREES, type Mess, makeInfrastructure, pairF1 } from '../../../bench/infrastructures.ts';
import type { Row } from '../../../bench/report.ts';

/** Others than those by which the constants were chosen. */
const SEEDS = [11, 12, 13, 14, 15];
const SERVICES = 200;
/** Some 60,000 CIs. */
const LARGE_SERVICES = 6_600;
const LARGE_MS = 4_000;

const found = (estate: Infrastructure) => split(estate, findHubs(estate), nameWords(estate.cis));

/** What Louvain alone makes of the same links. */
const byLouvain = ({ cis, links }: Infrastructure): Int32Array => {
  const pairs = {
    count: links.length,
    one: Int32Array.from(links, ({ source }) => source),
    other: Int32Array.from(links, ({ target }) => target),
    weight: new Float64Array(links.length).fill(1),
  };
  return louvain(cis.length, pairs, 1);
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function quality(mess: Mess): { readonly f1: number; readonly plain: number } {
  const estates = SEEDS.map((seed) => makeInfrastructure(SERVICES, mess, seed));
  return {
    f1: mean(estates.map(({ estate, truth }) => pairF1(truth, found(estate).serviceOf))),
    plain: mean(estates.map(({ estate, truth }) => pairF1(truth, byLouvain(estate)))),
  };
}

/** How well services are found in a CMDB whose services are known, and how long that takes. */
export function servicesFound(scale: number, progress: (text: string) => void): Row[] {
  const degrees = DEGREES.map((mess) => {
    progress(`services of a ${mess.name} estate`);
    return { mess, ...quality(mess) };
  });
  const all = mean(degrees.map(({ f1 }) => f1));
  progress('services of a large estate');
  const { estate } = makeInfrastructure(Math.round(LARGE_SERVICES * scale), DEGREES[2]!, 1);
  const began = performance.now();
  found(estate);
  const ms = performance.now() - began;
  return [
    ...degrees.map(({ mess, f1, plain }) => ({
      what: `services of a ${mess.name} estate: pairwise F1`,
      value: f1,
      unit: '',
      baseline: plain,
      of: 'plain Louvain',
    })),
    { what: 'services: pairwise F1, mean', value: all, unit: '', target: '≥ 0.90', met: all >= 0.9 },
    {
      what: `services among ${estate.cis.length.toLocaleString('en')} CIs`,
      value: ms,
      unit: 'ms',
      target: '≤ 4,000',
      met: ms <= LARGE_MS,
      note: `${estate.links.length.toLocaleString('en')} links`,
    },
  ];
}
