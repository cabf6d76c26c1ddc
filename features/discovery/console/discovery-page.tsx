import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Tabs } from '#console/data/tabs.tsx';
import { Page } from '#console/frame/page.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { inPlace, useSlot } from '#console/slots/feature.ts';
import { itemAt } from '#domain/known.ts';
import { listReviews, readUnbound } from './api.ts';
import classes from './discovery.module.css';
import { HostsTab } from './hosts-tab.tsx';
import { ReviewsTab } from './reviews-tab.tsx';
import { ScansTab } from './scans-tab.tsx';
import { TokensTab } from './tokens-tab.tsx';

const MOST_HOSTS = 100;
const LEAST_MS = 5_000;
const FEW_REVIEWS = 20;

interface Part {
  readonly place: number;
  readonly value: string;
  readonly words: string;
  readonly count?: number | undefined;
  readonly shown: ReactNode;
}

/** Findings of scanners, and questions for a person. */
export function DiscoveryPage() {
  const { call } = useParts();
  const address = useAddress();
  const mayRead = useMay('events.read');
  const mayManage = useMay('discovery.manage');
  const reviews = useQuery({
    queryKey: ['discovery', 'reviews'],
    queryFn: ({ signal }) => listReviews(call, { limit: FEW_REVIEWS }, signal),
  });
  const hosts = useQuery({
    queryKey: ['discovery', 'hosts'],
    queryFn: ({ signal }) => readUnbound(call, { limit: MOST_HOSTS }, signal),
    enabled: mayRead,
  });
  const added = useSlot('pageTabs').filter(({ page }) => page === '/discovery');
  const counts = useQueries({ queries: added.map(({ count }) => count(call)) });
  useLive(['scans'], () => reviews.refetch(), undefined, LEAST_MS);
  useLive(['events', 'topology'], () => mayRead && hosts.refetch(), undefined, LEAST_MS);
  const parts = inPlace<Part>([
    { place: 10, value: 'scans', words: 'Scans', shown: <ScansTab address={address} /> },
    {
      place: 20,
      value: 'reviews',
      words: 'To decide',
      count: reviews.data?.pagination.total,
      shown: <ReviewsTab reviews={reviews} />,
    },
    ...added.map(({ id, place, words, Part: Shown }, at) => ({
      place,
      value: id,
      words,
      count: counts[at]?.data,
      shown: <Shown />,
    })),
    ...(mayRead
      ? [
          {
            place: 30,
            value: 'hosts',
            words: 'Hosts without a CI',
            count: hosts.data?.hosts.length,
            shown: <HostsTab hosts={hosts} />,
          },
        ]
      : []),
    ...(mayManage ? [{ place: 40, value: 'tokens', words: 'Scanner tokens', shown: <TokensTab /> }] : []),
  ]);
  const { value: tab, shown } = parts.find(({ value }) => value === address.query.tab) ?? itemAt(parts, 0);
  return (
    <Page title="Discovery" scrolls lead="What scanners found, and what only a person can decide.">
      <div className={classes.tabs}>
        <Tabs
          label="Parts of discovery"
          value={tab}
          tabs={parts}
          onChange={(next) => address.change({ tab: next === 'scans' ? null : next, scan: null })}
        />
      </div>
      {shown}
    </Page>
  );
}
