import { percent } from '#domain/numbers.ts';
import { confident, type Finding } from './finding.ts';

const UNBOUND_SHARE = 0.2;
const LEAST_EVENTS = 50;

export interface BoundSeen {
  /** Events of the range, and those without a CI. */
  readonly total: number;
  readonly unbound: number;
  /** Of each source, those with most unbound events first. */
  readonly sources: readonly { readonly source: string; readonly total: number; readonly unbound: number }[];
  /** Where the events are listed. */
  readonly href: string;
}

/** Many events name no CI. */
export const detectUnboundShare = ({ total, unbound, sources, href }: BoundSeen): Finding[] => {
  const share = unbound / Math.max(1, total);
  if (total < LEAST_EVENTS || share < UNBOUND_SHARE) return [];
  const worst = sources.find((one) => one.unbound > 0);
  const where = worst === undefined ? '' : ` Most come from ${worst.source}: ${worst.unbound} of its ${worst.total}.`;
  return [
    {
      kind: 'unbound-share',
      subject: 'events',
      severity: share >= 0.5 ? 'major' : 'minor',
      title: `${percent(share)} of the events find no CI`,
      detail: `${unbound} of ${total} events name nothing that is in the CMDB, so no dependency can explain them.${where}`,
      recommendation: 'Add the missing CIs, or let the monitor send the host names and addresses that CIs have.',
      metric: { name: 'share without a CI', value: share, unit: 'share', threshold: UNBOUND_SHARE },
      confidence: confident(0.95),
      ciIds: [],
      cite: (findings) => [
        findings.add({
          kind: 'query',
          id: 'unbound-events',
          label: 'Events without a CI',
          href,
          facts: [
            { name: 'events', value: total },
            { name: 'without a CI', value: unbound },
            ...(worst === undefined
              ? []
              : [
                  { name: 'source', value: worst.source },
                  { name: 'of the source', value: worst.total },
                  { name: 'of the source without a CI', value: worst.unbound },
                ]),
          ],
        }),
      ],
    },
  ];
};
