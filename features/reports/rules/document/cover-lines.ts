import type { Cover } from '#features/reports/rules/document/document.ts';
import { type LocalClock, UNKNOWN } from '#features/reports/rules/values/values.ts';

/** Names and values below the title. */
export const coverLines = (
  { tenant, scope, range, madeAt, by, zone }: Cover,
  clock: LocalClock,
): readonly (readonly [name: string, value: string])[] => [
  ['Tenant', tenant],
  ['Covers', scope.length === 0 ? UNKNOWN : scope.join(' · ')],
  ['Range', range === null ? 'current state' : `${clock.time(range.from)} to ${clock.time(range.to)} (${zone})`],
  ['Generated', `${clock.time(madeAt)} (${zone}) by ${by}`],
];
