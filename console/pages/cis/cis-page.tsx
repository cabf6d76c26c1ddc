import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { CiRow } from '#console/api/cmdb/cmdb.ts';
import { MakeDialog } from '#console/cis/make-dialog.tsx';
import { FilterBar } from '#console/data/filter-bar.tsx';
import { chipsOf, clearing } from '#console/data/filters.ts';
import { SelectionBar } from '#console/data/selection-bar.tsx';
import { Page } from '#console/frame/page.tsx';
import place from '#console/grid/place.module.css';
import { NOTHING } from '#console/grid/selection.ts';
import { Table } from '#console/grid/table.tsx';
import { useHeld } from '#console/grid/use-held.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/words/counts.ts';
import { BulkDialog, type Meant } from './bulk-dialog.tsx';
import { ciColumns, narrowCi } from './ci-columns.tsx';
import { ciFilters, selectedCis } from './ci-filters.ts';
import classes from './cis-page.module.css';

import { TypeCounts } from './type-counts.tsx';
import { useCis, useTypes } from './use-cis.ts';

const ROW_HEIGHTS = { comfortable: 34, compact: 26 } as const;
const NARROW_ROW_HEIGHT = 64;
/** One request changes so many. */
const MOST_CHANGED = 1_000;
const idOf = ({ _id }: CiRow): string => _id;
const nameOf = ({ name }: CiRow): string => name;

/** All configuration items. */
export function CisPage() {
  const address = useAddress();
  const navigate = useNavigate();
  const mayWrite = useMay('cmdb.write');
  const { density } = useSettings();
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false }) ?? false;
  const { isHeld, holding } = useHeld();
  const [selection, setSelection] = useState(NOTHING);
  const [isAll, setAll] = useState(false);
  const [focused, setFocused] = useState<string | null>(null);
  const [changing, setChanging] = useState<Meant | null>(null);
  const [isMaking, setMaking] = useState(false);
  const types = useTypes();
  const filters = ciFilters(types.data);
  const cis = useCis(address.query, isHeld || selection.ids.size > 0);
  const { first, total, order, states } = cis;
  const columns = useMemo(() => ciColumns(states), [states]);
  const narrow = useMemo(() => narrowCi(states), [states]);
  const filter = selectedCis(address.query);
  const isFiltered = chipsOf(filters, address.query).length > 0 || address.query.search !== undefined;

  const selectNone = (): void => {
    setSelection(NOTHING);
    setAll(false);
  };
  const meant = (): Meant => (isAll && filter !== null ? { filter, expect: total } : { ids: [...selection.ids] });
  useShortcuts([
    { keys: 'Escape', words: 'Select nothing', section: 'List', isActive: selection.ids.size > 0, run: selectNone },
  ]);

  const empty = isFiltered ? (
    <Notice
      title="No CI fits these filters"
      ways={
        <Button variant="default" onClick={() => address.change(clearing(filters, ['search']))}>
          Clear the filters
        </Button>
      }
    >
      Others may be hidden by them.
    </Notice>
  ) : (
    <Notice
      title="Nothing is known yet of what you have"
      ways={
        mayWrite ? (
          <>
            <Link to="/import">Import a list of hosts</Link>
            <Link to="/discovery">Let a scanner find them</Link>
          </>
        ) : undefined
      }
    >
      With CIs and their relationships, events of one fault find each other, and a group names what is hit.
    </Notice>
  );

  return (
    <Page title="CIs" quiet>
      <FilterBar
        filters={filters}
        address={address}
        searches="Name, host name, address or key"
        end={
          <>
            {first.data === undefined ? null : <span className={classes.total}>{count(total, 'CI')}</span>}
            {cis.isOld ? (
              <Button variant="subtle" onClick={() => void cis.readAnew()}>
                Changed: read anew
              </Button>
            ) : null}
            {mayWrite ? (
              <Button variant="default" onClick={() => setMaking(true)}>
                New CI
              </Button>
            ) : null}
          </>
        }
      />
      <div className={place.split}>
        <TypeCounts types={types} address={address} />
        <section className={place.place} aria-label="CIs" {...holding}>
          <Region query={first} what="The CIs" skeleton={<Skeleton rows={16} height={ROW_HEIGHTS[density]} />}>
            {() =>
              total === 0 ? (
                empty
              ) : (
                <Table
                  label="CIs"
                  count={cis.count}
                  total={total}
                  rowAt={cis.rowAt}
                  idOf={idOf}
                  nameOf={nameOf}
                  order={order}
                  rowHeight={isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHTS[density]}
                  columns={columns}
                  {...(isNarrow && { narrow })}
                  sorting={{ by: address.query.sort ?? 'name', order: address.query.order === 'desc' ? 'desc' : 'asc' }}
                  onSorting={({ by, order: way }) => address.change({ sort: by, order: way })}
                  selection={selection}
                  onSelection={(next) => {
                    setAll(false);
                    setSelection(next);
                  }}
                  focused={focused ?? order[0] ?? null}
                  onFocused={setFocused}
                  onOpen={({ _id }) => void navigate({ to: `/cis/${_id}` })}
                  onSeen={cis.onSeen}
                  autoFocus
                />
              )
            }
          </Region>
          {selection.ids.size === 0 || !mayWrite ? null : (
            <SelectionBar
              said={isAll ? `All ${count(total, 'CI')} that match` : `${count(selection.ids.size, 'CI')} selected`}
              selectNone={selectNone}
            >
              {isAll || filter === null || total <= selection.ids.size || total > MOST_CHANGED ? null : (
                <Button variant="subtle" onClick={() => setAll(true)}>
                  Select all {count(total, 'CI')} that match
                </Button>
              )}
              <Button variant="default" onClick={() => setChanging(meant())}>
                Change…
              </Button>
              <Button
                variant="default"
                disabled={isAll}
                onClick={() =>
                  void navigate({
                    to: '/topology',
                    search: { mode: 'impact', ci: [...selection.ids].slice(0, 50).join(',') } as never,
                  })
                }
              >
                What fails with them
              </Button>
            </SelectionBar>
          )}
        </section>
      </div>
      <BulkDialog
        key={changing === null ? 'none' : 'some'}
        meant={changing}
        onClose={() => setChanging(null)}
        done={() => {
          selectNone();
          void cis.readAnew();
        }}
      />
      <MakeDialog opened={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}
