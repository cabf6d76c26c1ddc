import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { CiRow } from '#console/api/cmdb/cmdb.ts';
import type { Filter } from '#console/data/filters.ts';
import { Table } from '#console/grid/table.tsx';
import type { Choice } from '#console/grid/use-choice.ts';
import { useFocusedRow } from '#console/grid/use-focused-row.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { ciColumns, narrowCi } from './ci-columns.tsx';
import { NoCis } from './no-cis.tsx';
import type { useCis } from './use-cis.ts';

const ROW_HEIGHTS = { comfortable: 34, compact: 26 } as const;
const NARROW_ROW_HEIGHT = 64;
const idOf = ({ _id }: CiRow): string => _id;
const nameOf = ({ name }: CiRow): string => name;

interface Props {
  readonly cis: ReturnType<typeof useCis>;
  readonly filters: readonly Filter[];
  readonly address: Address;
  readonly choice: Choice;
}

export function CisTable({ cis, filters, address, choice }: Props) {
  const navigate = useNavigate();
  const { density } = useSettings();
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false }) ?? false;
  const [focused, setFocused] = useFocusedRow('cis');
  const { first, total, order, states } = cis;
  const columns = useMemo(() => ciColumns(states), [states]);
  const narrow = useMemo(() => narrowCi(states), [states]);
  return (
    <Region query={first} what="The CIs" skeleton={<Skeleton rows={16} height={ROW_HEIGHTS[density]} />}>
      {() =>
        total === 0 ? (
          <NoCis filters={filters} address={address} />
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
            selection={choice.selection}
            onSelection={choice.select}
            focused={focused ?? order[0] ?? null}
            onFocused={setFocused}
            onOpen={({ _id }) => void navigate({ to: `/cis/${_id}` })}
            onSeen={cis.onSeen}
            autoFocus
          />
        )
      }
    </Region>
  );
}
