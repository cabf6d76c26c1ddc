import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type GroupRow, listGroups } from '#console/api/groups.ts';
import { FilterBar } from '#console/data/filter-bar.tsx';
import type { Filter } from '#console/data/filters.ts';
import { Page } from '#console/frame/page.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/words/counts.ts';
import { listServices, type ServiceShown } from './api.ts';
import { HealthMark } from './health-mark.tsx';
import classes from './services.module.css';
import { groupsOf, healthWords, hitByWords, worstFirst } from './worst-first.ts';

const FILTERS: readonly Filter[] = [
  {
    name: 'criticality',
    words: 'importance',
    isMany: true,
    values: ['critical', 'high', 'medium', 'low'].map((value) => ({ value, words: value })),
  },
];
const PAGE = 100;
const MOST_GROUPS = 100;
const LEAST_MS = 3_000;

function Tile({ service, groups }: { readonly service: ServiceShown; readonly groups: readonly GroupRow[] }) {
  const { id, name, description, criticality, components, health, sla } = service;
  return (
    <li className={classes.tile} data-status={health.status}>
      <span className={classes.tileHead}>
        <Link to={`/services/${id}`} className={classes.name}>
          {name}
        </Link>
        <HealthMark status={health.status} />
      </span>
      {description === '' ? null : <span className={classes.description}>{description}</span>}
      <span className={classes.tileFacts}>
        {health.status === 'unknown' ? null : <span>{Math.round(health.score)} of 100</span>}
        <span>{criticality} importance</span>
        <span>{components.length === 0 ? 'no component' : count(components.length, 'component')}</span>
        {sla.availability === undefined ? null : <span>SLA {sla.availability}</span>}
      </span>
      <span className={classes.hit}>{hitByWords(groupsOf(name, groups))}</span>
    </li>
  );
}

/** All services, the worst first. */
export function ServicesPage() {
  const { call } = useParts();
  const address = useAddress();
  const { search, criticality } = address.query;
  const filters = JSON.stringify([search, criticality]);
  // A page is one of what is looked for: other words begin with the first.
  const [opened, setOpened] = useState({ filters, page: 1 });
  const page = opened.filters === filters ? opened.page : 1;
  const setPage = (next: number): void => setOpened({ filters, page: next });
  const services = useQuery({
    queryKey: ['services', 'list', search, criticality, page],
    queryFn: ({ signal }) => listServices(call, { search, criticality, limit: PAGE, page }, signal),
    placeholderData: keepPreviousData,
  });
  const groups = useQuery({
    queryKey: ['groups', 'of-services'],
    queryFn: ({ signal }) =>
      listGroups(call, { status: 'active,acknowledged', view: 'row', limit: MOST_GROUPS }, signal),
    enabled: useMay('events.read'),
  });
  useLive(['events', 'topology'], () => Promise.all([services.refetch(), groups.refetch()]), undefined, LEAST_MS);
  const isFiltered = search !== undefined || criticality !== undefined;
  return (
    <Page title="Services" quiet>
      <FilterBar
        filters={FILTERS}
        address={address}
        searches="Name or description"
        end={
          <span className={classes.total}>{services.data === undefined ? '' : healthWords(services.data.data)}</span>
        }
      />
      <div className={classes.scroll}>
        <Region query={services} what="The services" skeleton={<Skeleton rows={6} height={96} />}>
          {({ data, pagination }) =>
            data.length === 0 ? (
              <Notice title={isFiltered ? 'No service fits' : 'No service is known yet'}>
                {isFiltered
                  ? 'Other words or another importance may find some.'
                  : 'A service is what people use: named, with the CIs that it runs on. Then groups say what is hit. Services are made with POST /api/services, or taken over from a search for services.'}
              </Notice>
            ) : (
              <>
                <ul className={classes.tiles} aria-label="Services, the worst first" data-keys>
                  {worstFirst(data).map((service) => (
                    <Tile key={service.id} service={service} groups={groups.data?.groups ?? []} />
                  ))}
                </ul>
                {pagination.pages > 1 ? (
                  <p className={classes.pages}>
                    {data.length} of {count(pagination.total, 'service')}, by name
                    <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
                      Previous
                    </Button>
                    <Button variant="default" disabled={page >= pagination.pages} onClick={() => setPage(page + 1)}>
                      Next
                    </Button>
                  </p>
                ) : null}
              </>
            )
          }
        </Region>
      </div>
    </Page>
  );
}
