import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { listGroups } from '#console/api/groups.ts';
import { PageLink } from '#console/cis/page-link.tsx';
import { Page } from '#console/frame/page.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { useNoise } from '#features/noise/console/api.ts';
import { NoiseSection } from '#features/noise/console/noise-section.tsx';
import { OnCallSection } from '#features/on-call/console/on-call-now.tsx';
import { readHome } from './api.ts';
import classes from './home.module.css';
import {
  GroupCounts,
  GroupsSection,
  NumberLink,
  ServicesSection,
  SilencesSection,
  SourcesSection,
} from './now-sections.tsx';
import { PeriodSection } from './period-section.tsx';
import * as text from './texts.ts';
import { periodsOf, startOf } from './visit.ts';
import { useVisits } from './visits.tsx';

const ROWS = 5;
/** Minimum interval; in a storm six times as long. */
const READ_MS = 10_000;

const UNASSIGNED = { status: 'active', assignee: 'none' } as const;
const MINE = { status: 'active,acknowledged', assignee: 'me' } as const;

const useHome = (since: string) => {
  const home = useRead(
    ['home', since],
    async (call, signal) => {
      const first = { include: 'single', limit: ROWS } as const;
      const [data, unassigned, mine] = await Promise.all([
        readHome(call, since, signal),
        listGroups(call, { ...first, ...UNASSIGNED }, signal),
        listGroups(call, { ...first, ...MINE }, signal),
      ]);
      return { data, unassigned, mine };
    },
    { placeholderData: keepPreviousData },
  );
  useLive(['groups', 'events', 'silences'], () => home.refetch({ cancelRefetch: false }), undefined, READ_MS);
  return home;
};

function HomeNoise() {
  return (
    <Region query={useNoise()} what={text.noise} skeleton={<Skeleton rows={3} height={48} />}>
      {(noise) => (
        <NoiseSection noise={noise} noisiest={noise.checks[0]} end={<PageLink to="/noise">{text.noisiest}</PageLink>} />
      )}
    </Region>
  );
}

/** The first page: what needs attention now, what happened, and how noisy it is. */
export function HomePage() {
  const { clock } = useAppServices();
  const visits = useVisits();
  const { query, change } = useAddress();
  const [opened] = useState(() => clock.now());
  const periods = periodsOf(visits, opened);
  const name = periods.find((one) => one === query.period) ?? periods[0] ?? '12h';
  const home = useHome(new Date(startOf(name, visits, opened)).toISOString());
  return (
    <Page title={text.home} scrolls>
      <Region query={home} what={text.overview} skeleton={<Skeleton rows={8} height={48} />}>
        {({ data: { now, period }, unassigned, mine }) => (
          <div className={classes.columns}>
            <div>
              <GroupCounts groups={now.groups} />
              <GroupsSection
                title={text.unassigned}
                none={text.noUnassigned}
                groups={unassigned.groups}
                end={<NumberLink value={unassigned.pagination.total} to="/groups?assignee=none" />}
              />
              <GroupsSection
                title={text.mine}
                none={text.noMine}
                groups={mine.groups}
                end={
                  <>
                    <PageLink to="/groups?assignee=me">{text.active}</PageLink>
                    <PageLink to="/groups?state=acknowledged&assignee=me">{text.acknowledged}</PageLink>
                  </>
                }
              />
              {now.services === null ? null : <ServicesSection services={now.services} />}
            </div>
            <div>
              <PeriodSection
                period={period}
                name={name}
                names={periods}
                onChange={(next) => change({ period: next })}
              />
              <OnCallSection />
              <HomeNoise />
              <SourcesSection sources={now.silentSources} />
              <SilencesSection silences={now.silencesEnding} />
            </div>
          </div>
        )}
      </Region>
    </Page>
  );
}
