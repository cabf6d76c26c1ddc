import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { GroupDialogs } from '#console/actions/group/group-dialogs.tsx';
import { useGroupActions } from '#console/actions/group/use-group-actions.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { FilterBar } from '#console/data/filter-bar.tsx';
import { NewPill } from '#console/data/new-pill.tsx';
import { SelectionBar } from '#console/data/selection-bar.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { ColumnsMenu } from '#console/data/views/columns-menu.tsx';
import { useColumns, useViews } from '#console/data/views/use-views.ts';
import { ViewMenu } from '#console/data/views/view-menu.tsx';
import { Page } from '#console/frame/page.tsx';
import { List } from '#console/grid/list.tsx';
import place from '#console/grid/place.module.css';
import { kept, NOTHING, toggled } from '#console/grid/selection.ts';
import { useCalmRows } from '#console/grid/use-calm-rows.ts';
import { useHeld } from '#console/grid/use-held.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { useStable } from '#console/hooks/use-stable.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/words/counts.ts';
import { GroupCard } from './group-card.tsx';
import { GROUP_FILTERS, GROUP_STATES, stateOf } from './group-filters.ts';
import { GroupPanel } from './group-panel.tsx';
import { GROUP_PARTS } from './group-parts.ts';
import { NoGroups } from './no-groups.tsx';
import { useGroupCounts, useGroups, useGroupsCounted } from './use-groups.ts';

const STATE_WORDS = { active: 'Active', acknowledged: 'Acknowledged', resolved: 'Resolved' } as const;
const ROW_HEIGHT = 76;
const NARROW_ROW_HEIGHT = 96;
const idOf = ({ correlationId }: GroupRow): string => correlationId;

/** The feed: the worst fault on top. */
export function GroupsPage() {
  const address = useAddress();
  const navigate = useNavigate();
  const { neighbours } = useParts();
  const isNarrow = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false });
  const views = useViews('groups', address);
  const columns = useColumns(GROUP_PARTS, views, address);
  const countOf = useGroupsCounted();
  const { found, rows: read, total, list } = useGroups(address.query);
  const counts = useGroupCounts(address.query);
  const { isHeld, holding } = useHeld();
  const [selection, setSelection] = useState(NOTHING);
  const [focused, setFocused] = useState<string | null>(null);

  const { rows, left, waiting, takeIn } = useCalmRows(read, idOf, isHeld || selection.ids.size > 0, list);
  const order = rows.map(idOf);
  const selected = kept(selection, order);
  const current = focused !== null && order.includes(focused) ? focused : (order[0] ?? null);
  const state = stateOf(address.query);
  const selectNone = (): void => setSelection(NOTHING);

  const meant = rows.filter((row) => (selected.ids.size > 0 ? selected.ids.has(idOf(row)) : idOf(row) === current));
  const actions = useGroupActions({ meant, begun: selectNone });
  const toggle = useStable((row: GroupRow) => setSelection(toggled(selected, idOf(row))));
  const remember = useStable(() => neighbours.remember(order));
  const open = (id: string): void => {
    remember();
    void navigate({ to: `/groups/${id}` });
  };
  useShortcuts([
    {
      keys: 'Escape',
      words: 'Select nothing',
      section: 'List',
      isActive: selected.ids.size > 0,
      run: selectNone,
    },
  ]);

  return (
    <Page title="Groups" quiet>
      <FilterBar
        filters={GROUP_FILTERS}
        address={address}
        searches="Words of title or event"
        end={<ColumnsMenu columns={columns} isOrdered={false} />}
      >
        <ViewMenu views={views} columns={columns} address={address} whole="All groups" countOf={countOf} />
        <Tabs
          label="State of the groups"
          value={state}
          tabs={GROUP_STATES.map((value) => ({ value, words: STATE_WORDS[value], count: counts[value] }))}
          onChange={(value) => {
            selectNone();
            address.change({ state: value === 'active' ? null : value });
          }}
        />
      </FilterBar>
      <div className={place.split}>
        <section className={place.place} aria-label="Groups" {...holding}>
          <NewPill count={waiting} takeIn={takeIn} />
          <Region query={found} what="The groups" skeleton={<Skeleton rows={8} height={ROW_HEIGHT} />}>
            {() =>
              rows.length === 0 ? (
                <NoGroups state={state} address={address} />
              ) : (
                <List
                  label="Groups"
                  count={rows.length}
                  total={Math.max(total, rows.length)}
                  rowAt={(index) => rows[index]}
                  idOf={idOf}
                  order={order}
                  rowHeight={isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT}
                  selection={selected}
                  onSelection={setSelection}
                  focused={current}
                  onFocused={setFocused}
                  onOpen={(row) => open(idOf(row))}
                  opensByClick={isNarrow === true}
                  autoFocus
                >
                  {(group, { selected: isSelected }) => (
                    <GroupCard
                      group={group}
                      isSelected={isSelected}
                      toggle={toggle}
                      hasLeft={left.has(idOf(group))}
                      has={columns.has}
                      onOpen={remember}
                    />
                  )}
                </List>
              )
            }
          </Region>
          {selected.ids.size === 0 ? null : (
            <SelectionBar said={`${count(selected.ids.size, 'group')} selected`} selectNone={selectNone}>
              {actions.mayWrite ? (
                <>
                  <Button variant="default" onClick={() => actions.acknowledge()}>
                    Acknowledge
                  </Button>
                  <Button variant="default" onClick={() => actions.ask('resolve')}>
                    Resolve
                  </Button>
                  <Button variant="default" onClick={() => actions.suppress()}>
                    Suppress
                  </Button>
                  <Button variant="default" onClick={() => actions.ask('assign')}>
                    Assign…
                  </Button>
                </>
              ) : null}
              {actions.mayCorrelate && selected.ids.size > 1 ? (
                <Button variant="default" onClick={() => actions.ask('merge')}>
                  Merge
                </Button>
              ) : null}
            </SelectionBar>
          )}
          {found.hasNextPage ? (
            <Button variant="subtle" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
              {count(rows.length, 'group')} of {total} shown; show more
            </Button>
          ) : null}
        </section>
        {current === null ? null : <GroupPanel id={current} actions={actions} onOpen={remember} />}
      </div>
      <GroupDialogs actions={actions} />
    </Page>
  );
}
