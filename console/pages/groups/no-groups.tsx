import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { chipsOf, clearing } from '#console/data/filters.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { Notice } from '#console/states/notice.tsx';
import { GROUP_FILTERS, type GroupFilterState } from './group-filters.ts';

const WELL = {
  active: 'No active groups or events',
  acknowledged: 'No acknowledged groups or events',
  resolved: 'No resolved groups or events yet',
} as const;

/** Why the list is empty, and what to do next. */
export function NoGroups({ state, address }: { readonly state: GroupFilterState; readonly address: Address }) {
  const { empty } = useMe();
  const isFiltered = chipsOf(GROUP_FILTERS, address.query).length > 0 || address.query.search !== undefined;
  if (isFiltered)
    return (
      <Notice
        title="No groups or events match these filters"
        ways={
          <Button variant="default" onClick={() => address.change(clearing(GROUP_FILTERS, ['search']))}>
            Clear the filters
          </Button>
        }
      >
        Others may be hidden by them.
      </Notice>
    );
  if (empty.events)
    return (
      <Notice
        title="No event has arrived yet"
        ways={<Link to="/start">Set up the first source, or load the demo</Link>}
      >
        Groups are created automatically when related events arrive.
      </Notice>
    );
  return (
    <Notice title={WELL[state]}>
      {state === 'active'
        ? 'New ones appear here automatically. Warnings, info and recurring events are listed under Events.'
        : null}
    </Notice>
  );
}
