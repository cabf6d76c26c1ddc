import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ResolveDialog } from '#console/actions/resolve-dialog.tsx';
import { useGroupStatus } from '#console/actions/use-group-status.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { FilterBar } from '#console/data/filter-bar.tsx';
import { NewPill } from '#console/data/new-pill.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { Page } from '#console/frame/page.tsx';
import { List } from '#console/grid/list.tsx';
import { kept, NOTHING, toggled } from '#console/grid/selection.ts';
import { useCalmRows } from '#console/grid/use-calm-rows.ts';
import { useHeld } from '#console/grid/use-held.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/words/counts.ts';
import { GroupCard } from './group-card.tsx';
import { GROUP_FILTERS, GROUP_STATES, stateOf } from './group-filters.ts';
import { GroupPanel } from './group-panel.tsx';
import classes from './groups.module.css';
import { NoGroups } from './no-groups.tsx';
import { useGroupCounts, useGroups } from './use-groups.ts';

const STATE_WORDS = { active: 'Active', acknowledged: 'Acknowledged', resolved: 'Resolved' } as const;
const ROW_HEIGHT = 76;
const NARROW_ROW_HEIGHT = 96;
const idOf = ({ correlationId }: GroupRow): string => correlationId;

/** The feed: the worst fault on top. */
export function GroupsPage() {
  const address = useAddress();
  const navigate = useNavigate();
  const mayWrite = useMay('events.write');
  const isNarrow = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false });
  const { found, rows: read, total, list } = useGroups(address.query);
  const counts = useGroupCounts(address.query);
  const setStatus = useGroupStatus();
  const { isHeld, holding } = useHeld();
  const [selection, setSelection] = useState(NOTHING);
  const [focused, setFocused] = useState<string | null>(null);
  const [resolving, setResolving] = useState<readonly string[]>([]);

  const { rows, left, waiting, takeIn } = useCalmRows(read, idOf, isHeld || selection.ids.size > 0, list);
  const order = rows.map(idOf);
  const selected = kept(selection, order);
  const current = focused !== null && order.includes(focused) ? focused : (order[0] ?? null);
  const state = stateOf(address.query);

  /** What a key acts on: what is selected, else the row in focus. */
  const meant = (): readonly string[] =>
    selected.ids.size > 0 ? [...selected.ids] : current === null ? [] : [current];
  const acknowledge = (ids: readonly string[]): void => {
    if (ids.length === 0) return;
    setSelection(NOTHING);
    void setStatus(ids, { status: 'acknowledged' });
  };
  const open = (id: string): void => void navigate({ to: `/groups/${id}` });

  useShortcuts([
    { keys: 'a', words: 'Acknowledge', section: 'Actions', isActive: mayWrite, run: () => acknowledge(meant()) },
    { keys: 'r', words: 'Resolve', section: 'Actions', isActive: mayWrite, run: () => setResolving(meant()) },
    {
      keys: 'Escape',
      words: 'Select nothing',
      section: 'List',
      isActive: selected.ids.size > 0,
      run: () => setSelection(NOTHING),
    },
  ]);

  return (
    <Page title="Groups" quiet>
      <FilterBar filters={GROUP_FILTERS} address={address} searches="Words of title or event">
        <Tabs
          label="State of the groups"
          value={state}
          tabs={GROUP_STATES.map((value) => ({ value, words: STATE_WORDS[value], count: counts[value] }))}
          onChange={(value) => {
            setSelection(NOTHING);
            address.change({ state: value === 'active' ? null : value });
          }}
        />
      </FilterBar>
      <div className={classes.split}>
        <section className={classes.feed} aria-label="Groups" {...holding}>
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
                      toggle={() => setSelection(toggled(selected, idOf(group)))}
                      hasLeft={left.has(idOf(group))}
                    />
                  )}
                </List>
              )
            }
          </Region>
          {selected.ids.size === 0 ? null : (
            <div className={classes.selectionBar}>
              {count(selected.ids.size, 'group')} selected
              {mayWrite ? (
                <>
                  <Button variant="default" onClick={() => acknowledge(meant())}>
                    Acknowledge
                  </Button>
                  <Button variant="default" onClick={() => setResolving(meant())}>
                    Resolve
                  </Button>
                </>
              ) : null}
              <Button variant="subtle" onClick={() => setSelection(NOTHING)}>
                Select nothing
              </Button>
            </div>
          )}
          {found.hasNextPage ? (
            <Button variant="subtle" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
              {count(rows.length, 'group')} of {total} shown; show more
            </Button>
          ) : null}
        </section>
        {current === null ? null : (
          <GroupPanel
            id={current}
            mayWrite={mayWrite}
            acknowledge={(id) => acknowledge([id])}
            resolve={(id) => setResolving([id])}
          />
        )}
      </div>
      <ResolveDialog
        what={resolving.length === 0 ? null : count(resolving.length, 'group')}
        onClose={() => setResolving([])}
        resolve={(wish) => {
          setSelection(NOTHING);
          void setStatus(resolving, wish);
        }}
      />
    </Page>
  );
}
