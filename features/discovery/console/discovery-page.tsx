import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { listReviews, readUnbound } from '#console/api/cmdb/discovery.ts';
import { openProposals } from '#console/api/cmdb/proposals.ts';
import { Tabs } from '#console/data/tabs.tsx';
import { Page } from '#console/frame/page.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import classes from './discovery.module.css';
import { HostsTab } from './hosts-tab.tsx';
import { ProposalsTab } from './proposals-tab.tsx';
import { ReviewsTab } from './reviews-tab.tsx';
import { ScansTab } from './scans-tab.tsx';
import { TokensTab } from './tokens-tab.tsx';

const MOST_HOSTS = 100;
const LEAST_MS = 5_000;
const FEW_REVIEWS = 20;

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
  const proposals = useQuery({
    queryKey: ['proposals', 'open'],
    queryFn: ({ signal }) => openProposals(call, signal),
  });
  useLive(['scans'], () => reviews.refetch(), undefined, LEAST_MS);
  useLive(['events', 'topology'], () => mayRead && hosts.refetch(), undefined, LEAST_MS);
  const parts: Readonly<
    Record<string, { readonly words: string; readonly count?: number | undefined; readonly shown: ReactNode }>
  > = {
    scans: { words: 'Scans', shown: <ScansTab address={address} /> },
    reviews: { words: 'To decide', count: reviews.data?.pagination.total, shown: <ReviewsTab reviews={reviews} /> },
    proposals: {
      words: 'Proposals',
      count: proposals.data?.pagination.total,
      shown: <ProposalsTab proposals={proposals} />,
    },
    ...(mayRead && {
      hosts: { words: 'Hosts without a CI', count: hosts.data?.hosts.length, shown: <HostsTab hosts={hosts} /> },
    }),
    ...(mayManage && { tokens: { words: 'Scanner tokens', shown: <TokensTab /> } }),
  };
  const tab = address.query.tab !== undefined && parts[address.query.tab] !== undefined ? address.query.tab : 'scans';
  return (
    <Page title="Discovery" scrolls lead="What scanners found, and what only a person can decide.">
      <div className={classes.tabs}>
        <Tabs
          label="Parts of discovery"
          value={tab}
          tabs={Object.entries(parts).map(([value, { words, count }]) => ({ value, words, count }))}
          onChange={(next) => address.change({ tab: next === 'scans' ? null : next, scan: null })}
        />
      </div>
      {parts[tab]?.shown}
    </Page>
  );
}
