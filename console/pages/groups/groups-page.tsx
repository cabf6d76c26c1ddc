import { Button, NativeSelect } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { GroupDialogs } from '#console/actions/group/group-dialogs.tsx';
import { type GroupActions, useGroupActions } from '#console/actions/group/use-group-actions.ts';
import { GROUPS } from '#console/actions/groups-cache.ts';
import { type GroupRow, listGroups, readGroup } from '#console/api/groups.ts';
import { ExportButton } from '#console/data/csv/export-button.tsx';
import { FilterBar } from '#console/data/filter-bar.tsx';
import { askedOf, chipsOf, clearing } from '#console/data/filters.ts';
import { NewPill } from '#console/data/new-pill.tsx';
import { SelectionBar } from '#console/data/selection-bar.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { showing } from '#console/data/texts.ts';
import { ColumnsMenu } from '#console/data/views/columns-menu.tsx';
import { type Columns, useColumns, useViews, type Views } from '#console/data/views/use-views.ts';
import { ViewMenu } from '#console/data/views/view-menu.tsx';
import { Page } from '#console/frame/page.tsx';
import place from '#console/grid/place.module.css';
import { kept, NOTHING } from '#console/grid/selection.ts';
import { withNewer } from '#console/grid/stable-rows.ts';
import { useFocusedRow } from '#console/grid/use-focused-row.ts';
import { useHeld } from '#console/grid/use-held.ts';
import { useStableRows } from '#console/grid/use-stable-rows.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { type Address, type AddressSearch, useAddress } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { useStable } from '#console/hooks/use-stable.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/text/counts.ts';
import { groupTitle, isLone, rowPath, worstOf } from '#console/text/group-text.ts';
import {
  GROUP_FILTERS,
  GROUP_ORDERS,
  GROUP_STATES,
  type GroupFilterState,
  knownOf,
  orderOf,
  readGroupAddress,
  stateOf,
} from './group-filters.ts';
import { GROUP_PARTS } from './group-parts.ts';
import { GROUP_FIELDS, groupsFile } from './groups-file.ts';
import { GroupsList, groupId, ROW_HEIGHT } from './groups-list.tsx';
import { RowPanel } from './row-panel.tsx';
import * as text from './texts.ts';

interface SelectedGroupsProps {
  readonly size: number;
  readonly selectNone: () => void;
  readonly actions: GroupActions;
}

/** Actions on the selected groups. */
function SelectedGroups({ size, selectNone, actions }: SelectedGroupsProps) {
  if (size === 0) return null;
  return (
    <SelectionBar said={text.selected(count(size, 'group'))} selectNone={selectNone}>
      {actions.mayWrite ? (
        <>
          <Button variant="default" onClick={() => actions.acknowledge()}>
            {text.acknowledge}
          </Button>
          <Button variant="default" onClick={() => actions.ask('resolve')}>
            {text.resolve}
          </Button>
          <Button variant="default" onClick={() => actions.reopen()}>
            {text.reopen}
          </Button>
          {size === 1
            ? actions.more.map((action) => (
                <Button key={action.id} variant="default" onClick={() => actions.ask(action)}>
                  {action.words}…
                </Button>
              ))
            : null}
          <Button variant="default" onClick={() => actions.ask('assign')}>
            {text.assign}
          </Button>
        </>
      ) : null}
      {actions.mayCorrelate && size > 1 ? (
        <Button variant="default" onClick={() => actions.ask('merge')}>
          {text.merge}
        </Button>
      ) : null}
    </SelectionBar>
  );
}

const PAGE = 100;
const MIN_MS = 250;
/** A new critical problem is shown within 2 s, including the time of a reply of a busy server. */
const STORM_MS = 1_000;
/** Includes events in no group among groups. */
const LONE = { include: 'single' } as const;

/** The query of the address, as it is sent. */
const askedGroups = (query: AddressSearch) => ({
  ...LONE,
  ...askedOf(GROUP_FILTERS, query, ['search']),
  status: stateOf(query),
  sortBy: orderOf(query),
});

/** The groups of the address, refetched when one of them changes. */
const useGroups = (query: AddressSearch) => {
  const { call } = useAppServices();
  const asked = askedGroups(query);
  const found = useInfiniteQuery({
    queryKey: [...GROUPS, 'list', asked],
    queryFn: ({ signal, pageParam }) => listGroups(call, { ...asked, limit: PAGE, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  useLive(['groups', 'events'], () => found.refetch({ cancelRefetch: false }), undefined, MIN_MS, STORM_MS);
  const rows: readonly GroupRow[] = found.data?.pages.flatMap(({ groups }) => groups) ?? [];
  return { found, rows, total: found.data?.pages[0]?.pagination.total ?? 0, list: JSON.stringify(asked) };
};

/** Counts the active groups of a view, or those of the state that it names. */
const useGroupsCounted = () => {
  const { call } = useAppServices();
  return async (query: AddressSearch, signal: AbortSignal): Promise<number> => {
    const asked = askedGroups(query);
    return (await listGroups(call, { ...asked, limit: 1, view: 'row' }, signal)).pagination.total;
  };
};

const COUNTED_MS = 5_000;

/** Counts of groups by state for the filters. */
const useGroupCounts = (query: AddressSearch): Readonly<Record<GroupFilterState, number | undefined>> => {
  const { call } = useAppServices();
  const asked = { ...LONE, ...askedOf(GROUP_FILTERS, query, ['search']) };
  const counts = useQueries({
    queries: GROUP_STATES.map((status) => ({
      queryKey: [...GROUPS, 'count', { ...asked, status }],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await listGroups(call, { ...asked, status, limit: 1, view: 'row' }, signal)).pagination.total,
      placeholderData: keepPreviousData,
    })),
  });
  useLive(['groups', 'events'], () => counts.map((one) => one.refetch()), undefined, COUNTED_MS);
  const [active, acknowledged, resolved] = counts.map(({ data }) => data);
  return { active, acknowledged, resolved };
};

const WELL = {
  active: text.noActiveGroupsEvents,
  acknowledged: text.noAcknowledgedGroupsEvents,
  resolved: text.noResolvedGroupsEvents,
} as const;

/** Explains why the list is empty, and the next step. */
function NoGroups({ state, address }: { readonly state: GroupFilterState; readonly address: Address }) {
  const { empty } = useMe();
  const isFiltered = chipsOf(GROUP_FILTERS, address.query).length > 0 || address.query.search !== undefined;
  if (isFiltered)
    return (
      <Notice
        title={text.noGroupsEventsMatch}
        ways={
          <Button variant="default" onClick={() => address.change(clearing(GROUP_FILTERS, ['search']))}>
            {text.clearFilters}
          </Button>
        }
      >
        {text.clearFiltersSeeAll}
      </Notice>
    );
  if (empty.events)
    return (
      <Notice title={text.noEventsYet} ways={<Link to="/start">{text.connectSourceLoadDemo}</Link>}>
        {text.groupsCreatedAutomaticallyWhen}
      </Notice>
    );
  return <Notice title={WELL[state]}>{state === 'active' ? text.newOnesAppearHere : null}</Notice>;
}

const STATE_WORDS = { active: text.active, acknowledged: text.acknowledged, resolved: text.resolved } as const;

interface Props {
  readonly address: Address;
  readonly views: Views;
  readonly columns: Columns;
  readonly selectNone: () => void;
}

/** Filters of the groups shown. */
function GroupsBar({ address, views, columns, selectNone }: Props) {
  const countOf = useGroupsCounted();
  const counts = useGroupCounts(address.query);
  return (
    <FilterBar
      filters={GROUP_FILTERS}
      address={address}
      known={knownOf(address.query)}
      searches={text.searchGroupsAndEvents}
      end={
        <>
          <NativeSelect
            size="xs"
            w={108}
            aria-label={text.sort}
            data={GROUP_ORDERS}
            value={orderOf(address.query)}
            onChange={({ currentTarget: { value } }) => address.change({ sort: value === 'urgency' ? null : value })}
          />
          <ExportButton name="groups" fields={GROUP_FIELDS} read={groupsFile(askedGroups(address.query))} />
          <ColumnsMenu columns={columns} isOrdered={false} />
        </>
      }
    >
      <ViewMenu views={views} columns={columns} address={address} whole={text.allGroups} countOf={countOf} />
      <Tabs
        label={text.groupStatus}
        value={stateOf(address.query)}
        tabs={GROUP_STATES.map((value) => ({ value, words: STATE_WORDS[value], count: counts[value] }))}
        onChange={(value) => {
          selectNone();
          address.change({ state: value === 'active' ? null : value });
        }}
      />
    </FilterBar>
  );
}

/** The group in focus as the panel beside the list has read it; undefined: the list, read at a time (ms), has it as new. */
const useNewerRow = (id: string | null, listedAt: number, left: ReadonlySet<string>): GroupRow | undefined => {
  const { data, dataUpdatedAt } = useRead(
    [...GROUPS, 'detail', id],
    (call, signal) => readGroup(call, id ?? '', signal),
    { enabled: false },
  );
  // A row that left the list is not in its last read.
  const isNewer = id !== null && (dataUpdatedAt > listedAt || left.has(id));
  return isNewer ? data : undefined;
};

/** The feed: groups and events in none, the worst on top. */
export function GroupsPage() {
  const address = useAddress(readGroupAddress);
  const navigate = useNavigate();
  const { neighbours } = useAppServices();
  const views = useViews('groups', address);
  const columns = useColumns(GROUP_PARTS, views, address);
  const { found, rows: read, total, list } = useGroups(address.query);
  const { isHeld, holding } = useHeld();
  const [selection, setSelection] = useState(NOTHING);
  const [focused, setFocused] = useFocusedRow('groups');

  const { rows: calm, left, waiting, takeIn } = useStableRows(read, groupId, isHeld || selection.ids.size > 0, list);
  const order = calm.map(groupId);
  const selected = kept(selection, order);
  const { size } = selected.ids;
  const current = focused !== null && order.includes(focused) ? focused : null;
  const newer = useNewerRow(current, found.dataUpdatedAt, left);
  const rows = useMemo(() => withNewer(calm, newer, groupId), [calm, newer]);
  const selectNone = (): void => setSelection(NOTHING);

  const meant = rows.filter((row) => (size > 0 ? selected.ids.has(groupId(row)) : groupId(row) === current));
  const actions = useGroupActions({ meant, begun: selectNone });
  const shown = rows.find((row) => groupId(row) === current);
  const remember = useStable(() => neighbours.remember(rows.filter((row) => !isLone(row)).map(groupId), address.query));
  const open = (row: GroupRow): void => {
    remember();
    const [to = '', query = ''] = rowPath(row).split('?');
    void navigate({ to, search: Object.fromEntries(new URLSearchParams(query)) as never });
  };
  useShortcuts([{ keys: 'Escape', words: text.clearSelection, section: 'List', isActive: size > 0, run: selectNone }]);

  const worst = worstOf(waiting);
  return (
    <Page title={text.groups}>
      <GroupsBar address={address} views={views} columns={columns} selectNone={selectNone} />
      <div className={place.split}>
        <section className={place.place} aria-label={text.groups} {...holding}>
          <NewPill count={waiting.length} worst={worst && { ...worst, title: groupTitle(worst) }} takeIn={takeIn} />
          <Region query={found} what={text.groupList} skeleton={<Skeleton rows={8} height={ROW_HEIGHT} />}>
            {() =>
              rows.length === 0 ? (
                <NoGroups state={stateOf(address.query)} address={address} />
              ) : (
                <GroupsList
                  rows={rows}
                  total={total}
                  order={order}
                  left={left}
                  remember={remember}
                  has={columns.has}
                  selection={selected}
                  onSelection={setSelection}
                  focused={current}
                  onFocused={setFocused}
                  onOpen={open}
                />
              )
            }
          </Region>
          <SelectedGroups size={size} selectNone={selectNone} actions={actions} />
          {found.hasNextPage ? (
            <Button variant="subtle" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
              {text.loadMore(showing(rows.length, total))}
            </Button>
          ) : null}
        </section>
        {shown === undefined ? null : <RowPanel row={shown} actions={actions} onOpen={remember} />}
      </div>
      <GroupDialogs actions={actions} />
    </Page>
  );
}
