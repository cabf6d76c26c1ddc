import { Button } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { GroupRow } from '#console/api/groups.ts';
import type { CsvField } from '#console/data/csv/csv.ts';
import { ExportButton } from '#console/data/csv/export-button.tsx';
import { FilterBar } from '#console/data/filter-bar.tsx';
import type { Filter } from '#console/data/filters.ts';
import { Page } from '#console/frame/page.tsx';
import { useAddress } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count, number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { listServices, readTrends, type ServiceData, type ServiceTrendData } from './api.ts';
import { HealthLine } from './health-line.tsx';
import { HealthMark } from './health-mark.tsx';
import { ServiceDialog } from './service-dialog.tsx';
import classes from './services.module.css';
import * as text from './texts.ts';
import { useOpenGroups } from './use-open-groups.ts';
import { groupsOf, healthWords, hitByWords, worstFirst } from './worst-first.ts';

const FILTERS: readonly Filter[] = [
  {
    name: 'criticality',
    words: text.criticalityLabel,
    isMany: true,
    values: ['critical', 'high', 'medium', 'low'].map((value) => ({ value, words: value })),
  },
];
const PAGE = 100;
/** More services are rows instead of tiles. */
const MAX_TILES = 12;
const MIN_MS = 3_000;
const TRENDS_MS = 5 * 60_000;

const FIELDS: readonly CsvField<ServiceData>[] = [
  ['Service ID', ({ id }) => id],
  ['Name', ({ name }) => name],
  ['Health', ({ health }) => health.status],
  ['Score', ({ health }) => health.score],
  ['Criticality', ({ criticality }) => criticality],
  ['Components', ({ components }) => components.length],
  ['Availability target', ({ sla }) => sla.availability],
];

interface TileProps {
  readonly service: ServiceData;
  readonly groups: readonly GroupRow[];
  readonly trend: ServiceTrendData | undefined;
}

function Tile({ service, groups, trend }: TileProps) {
  const { id, name, description, criticality, components, health, sla } = service;
  return (
    <li className={classes.tile} data-status={health.status}>
      <span className={classes.tileHead}>
        <Link to={`/services/${id}`} className={classes.name}>
          {name}
        </Link>
        <span className={classes.health}>
          <HealthMark status={health.status} />
          {health.status === 'unknown' ? null : (
            <strong className={classes.score} title={text.outOf100(Math.round(health.score))}>
              {Math.round(health.score)}
            </strong>
          )}
        </span>
      </span>
      {description === '' ? null : <span className={classes.description}>{description}</span>}
      <HealthLine trend={trend} />
      <span className={classes.tileFacts}>
        <span>{text.criticality(criticality)}</span>
        <span>{components.length === 0 ? text.noComponentsFact : count(components.length, 'component')}</span>
        {sla.availability === undefined ? null : <span>{text.sla(sla.availability)}</span>}
      </span>
      <span className={classes.hit}>{hitByWords(groupsOf(name, groups))}</span>
    </li>
  );
}

/** All services, the worst first. */
export function ServicesPage() {
  const address = useAddress();
  const { search, criticality } = address.query;
  const filters = JSON.stringify([search, criticality]);
  // A page belongs to one search: other words start with the first.
  const [opened, setOpened] = useState({ filters, page: 1 });
  const page = opened.filters === filters ? opened.page : 1;
  const setPage = (next: number): void => setOpened({ filters, page: next });
  const services = useRead(
    ['services', 'list', search, criticality, page],
    (call, signal) => listServices(call, { search, criticality, limit: PAGE, page }, signal),
    { placeholderData: keepPreviousData },
  );
  const groups = useOpenGroups();
  const ids = services.data?.data.filter(({ components }) => components.length > 0).map(({ id }) => id) ?? [];
  const trends = useRead(['services', 'trends', ids], (call, signal) => readTrends(call, ids, signal), {
    enabled: ids.length > 0,
    refetchInterval: TRENDS_MS,
    placeholderData: keepPreviousData,
  });
  useLive(['events', 'topology'], () => Promise.all([services.refetch(), groups.refetch()]), undefined, MIN_MS);
  const [isNew, setNew] = useState(false);
  const create = useMay('services.write') ? (
    <Button onClick={() => setNew(true)}>{text.createService}</Button>
  ) : undefined;
  const isFiltered = search !== undefined || criticality !== undefined;
  return (
    <Page title={text.services} actions={create}>
      <FilterBar
        filters={FILTERS}
        address={address}
        searches={text.searchHint}
        end={
          <>
            <span className={classes.total}>{services.data === undefined ? '' : healthWords(services.data.data)}</span>
            <ExportButton
              name="services"
              fields={FIELDS}
              read={(call, cursor) => listServices(call, { search, criticality, limit: PAGE, cursor })}
            />
          </>
        }
      />
      <div className={classes.scroll}>
        <Region query={services} what={nouns.services} skeleton={<Skeleton rows={6} height={96} />}>
          {({ data, pagination }) =>
            data.length === 0 ? (
              <Notice title={isFiltered ? text.noMatchingServices : text.noServicesYet}>
                {isFiltered ? text.noMatchingServicesHint : text.noServicesYetHint}
              </Notice>
            ) : (
              <>
                <ul
                  className={classes.tiles}
                  aria-label={text.servicesByHealth}
                  data-rows={data.length > MAX_TILES || undefined}
                  data-keys
                >
                  {worstFirst(data).map((service) => (
                    <Tile
                      key={service.id}
                      service={service}
                      groups={groups.data?.groups ?? []}
                      trend={trends.data?.find(({ service_id }) => service_id === service.id)}
                    />
                  ))}
                </ul>
                {pagination.pages > 1 ? (
                  <p className={classes.pages}>
                    {text.pageRange(
                      number((page - 1) * PAGE + 1),
                      number((page - 1) * PAGE + data.length),
                      count(pagination.total, 'service'),
                    )}
                    <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
                      {text.previous}
                    </Button>
                    <Button variant="default" disabled={page >= pagination.pages} onClick={() => setPage(page + 1)}>
                      {text.next}
                    </Button>
                  </p>
                ) : null}
              </>
            )
          }
        </Region>
      </div>
      <ServiceDialog opened={isNew} onClose={() => setNew(false)} />
    </Page>
  );
}
