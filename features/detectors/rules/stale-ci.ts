import { counted, enumeration, type NamedCi } from '#features/ai/rules/findings.ts';
import { confident, type Finding } from './finding.ts';

/** Time without a scan or an import after which a CI may be gone. */
export const STALE_DAYS = 30;
const NAMED = 3;
const CITED = 2;

export interface StaleSeen {
  /** Active CIs that were seen once, and not for 30 days. */
  readonly total: number;
  /** Some of them. */
  readonly cis: readonly NamedCi[];
  /** CIs in all. */
  readonly all: number;
}

/** Finds CIs without recent sightings. */
export const detectStaleCis = ({ total, cis, all }: StaleSeen): Finding[] => {
  if (total === 0 || cis.length === 0) return [];
  const names = enumeration([...cis.map(({ name }) => name).slice(0, NAMED)], NAMED);
  const share = total / Math.max(total, all);
  return [
    {
      kind: 'stale-ci',
      subject: 'cis',
      severity: share >= 0.1 ? 'minor' : 'info',
      title: `${counted(total, 'CI was', 'CIs were')} not seen for ${STALE_DAYS} days`,
      detail: `${total} of ${counted(all, 'CI')} were last seen by discovery or import more than ${STALE_DAYS} days ago, including ${names}.`,
      recommendation: 'Remove decommissioned CIs and rescan the rest; root cause and impact depend on them.',
      metric: { name: 'CIs not seen', value: total, unit: 'count', threshold: 1 },
      confidence: confident(0.9),
      ciIds: cis.map(({ id }) => id),
      cite: (findings) =>
        cis.slice(0, CITED).map((ci) =>
          findings.ci(ci, [
            { name: 'CIs not seen', value: total },
            { name: 'CIs', value: all },
            { name: 'limit days', value: STALE_DAYS },
          ]),
        ),
    },
  ];
};
