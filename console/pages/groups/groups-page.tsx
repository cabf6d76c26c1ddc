import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { GroupDialogs } from '#console/actions/group/group-dialogs.tsx';
import { useGroupActions } from '#console/actions/group/use-group-actions.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { NewPill } from '#console/data/new-pill.tsx';
import { useColumns, useViews } from '#console/data/views/use-views.ts';
import { Page } from '#console/frame/page.tsx';
import { withNewer } from '#console/grid/calm.ts';
import place from '#console/grid/place.module.css';
import { kept, NOTHING } from '#console/grid/selection.ts';
import { useCalmRows } from '#console/grid/use-calm-rows.ts';
import { useFocusedRow } from '#console/grid/use-focused-row.ts';
import { useHeld } from '#console/grid/use-held.ts';
import { useParts } from '#console/hooks/parts.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { useStable } from '#console/hooks/use-stable.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { number } from '#console/words/counts.ts';
import { isLone, rowPath, worstOf } from '#console/words/group-words.ts';
import { ChosenGroups } from './chosen-groups.tsx';
import { readGroupAddress, stateOf } from './group-filters.ts';
import { GROUP_PARTS } from './group-parts.ts';
import { GroupsBar } from './groups-bar.tsx';
import { GroupsList, groupId, ROW_HEIGHT } from './groups-list.tsx';
import { NoGroups } from './no-groups.tsx';
import { RowPanel } from './row-panel.tsx';
import { useGroups } from './use-groups.ts';
import { useNewerRow } from './use-newer-row.ts';

/** The feed: groups and events in none, the worst on top. */
export function GroupsPage() {
  const address = useAddress(readGroupAddress);
  const navigate = useNavigate();
  const { neighbours } = useParts();
  const views = useViews('groups', address);
  const columns = useColumns(GROUP_PARTS, views, address);
  const { found, rows: read, total, list } = useGroups(address.query);
  const { isHeld, holding } = useHeld();
  const [selection, setSelection] = useState(NOTHING);
  const [focused, setFocused] = useFocusedRow('groups');

  const { rows: calm, left, waiting, takeIn } = useCalmRows(read, groupId, isHeld || selection.ids.size > 0, list);
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
  useShortcuts([{ keys: 'Escape', words: 'Select nothing', section: 'List', isActive: size > 0, run: selectNone }]);

  return (
    <Page title="Groups" quiet>
      <GroupsBar address={address} views={views} columns={columns} selectNone={selectNone} />
      <div className={place.split}>
        <section className={place.place} aria-label="Groups" {...holding}>
          <NewPill count={waiting.length} worst={worstOf(waiting)} takeIn={takeIn} />
          <Region query={found} what="The groups" skeleton={<Skeleton rows={8} height={ROW_HEIGHT} />}>
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
          <ChosenGroups size={size} selectNone={selectNone} actions={actions} />
          {found.hasNextPage ? (
            <Button variant="subtle" onClick={() => void found.fetchNextPage()} loading={found.isFetchingNextPage}>
              Load more: {number(rows.length)} of {number(total)} shown
            </Button>
          ) : null}
        </section>
        {shown === undefined ? null : <RowPanel row={shown} actions={actions} onOpen={remember} />}
      </div>
      <GroupDialogs actions={actions} />
    </Page>
  );
}
