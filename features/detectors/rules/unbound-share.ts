import { percent } from '#domain/numbers.ts';
import { confident, type Finding } from './finding.ts';

const UNBOUND_SHARE = 0.2;
const MIN_EVENTS = 50;

export interface BoundSeen {
  /** Events of the range, and those without a CI. */
  readonly total: number;
  readonly unbound: number;
  /** Share by source, those with most unbound events first. */
  readonly sources: readonly { readonly source: string; readonly total: number; readonly unbound: number }[];
  /** Address of the list of events. */
  readonly href: string;
}

/** Many events name no CI. */
export const detectUnboundShare = ({ total, unbound, sources, href }: BoundSeen): Finding[] => {
  const share = unbound / Math.max(1, total);
  if (total < MIN_EVENTS || share < UNBOUND_SHARE) return [];
  const worst = sources.find((one) => one.unbound > 0);
  const where = worst === undefined ? '' : ` Most come from ${worst.source}: ${worst.unbound} of its ${worst.total}.`;
  return [
    {
      kind: 'unbound-share',
      subject: 'events',
      severity: share >= 0.5 ? 'major' : 'minor',
      title: `${percent(share)} of events are unbound`,
      detail: `${unbound} of ${total} events match no CI, so dependencies can't be used.${where}`,
      recommendation: 'Add the missing CIs, or configure the source to send hostnames and addresses that match CIs.',
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
