import { FilterBar } from '#console/data/filter-bar.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { ColumnsMenu } from '#console/data/views/columns-menu.tsx';
import type { Columns, Views } from '#console/data/views/use-views.ts';
import { ViewMenu } from '#console/data/views/view-menu.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import { GROUP_FILTERS, GROUP_STATES, knownOf, stateOf } from './group-filters.ts';
import { useGroupCounts, useGroupsCounted } from './use-groups.ts';

const STATE_WORDS = { active: 'Active', acknowledged: 'Acknowledged', resolved: 'Resolved' } as const;

interface Props {
  readonly address: Address;
  readonly views: Views;
  readonly columns: Columns;
  readonly selectNone: () => void;
}

/** Which groups are shown. */
export function GroupsBar({ address, views, columns, selectNone }: Props) {
  const countOf = useGroupsCounted();
  const counts = useGroupCounts(address.query);
  return (
    <FilterBar
      filters={GROUP_FILTERS}
      address={address}
      known={knownOf(address.query)}
      searches="Words of title or event"
      end={<ColumnsMenu columns={columns} isOrdered={false} />}
    >
      <ViewMenu views={views} columns={columns} address={address} whole="All groups" countOf={countOf} />
      <Tabs
        label="State of the groups"
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
