import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { clearing } from '#console/data/filters.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { Notice } from '#console/states/notice.tsx';
import { EVENT_ALSO, EVENT_FILTERS } from './event-filters.ts';

/** Why the table is empty, and what to do next. */
export function NoEvents({ address }: { readonly address: Address }) {
  const { empty } = useMe();
  if (empty.events)
    return (
      <Notice
        title="No event has arrived yet"
        ways={<Link to="/start">Set up the first source, or load the demo</Link>}
      >
        They appear here as soon as the first one is sent.
      </Notice>
    );
  return (
    <Notice
      title="No event fits these filters"
      ways={
        <Button variant="default" onClick={() => address.change(clearing(EVENT_FILTERS, EVENT_ALSO))}>
          Clear the filters
        </Button>
      }
    >
      Others may be hidden by them.
    </Notice>
  );
}
