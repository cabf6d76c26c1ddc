import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { chipsOf, clearing, type Filter } from '#console/data/filters.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Notice } from '#console/states/notice.tsx';

/** Why the list is empty, and what to do next. */
export function NoCis({ filters, address }: { readonly filters: readonly Filter[]; readonly address: Address }) {
  const mayWrite = useMay('cmdb.write');
  const isFiltered = chipsOf(filters, address.query).length > 0 || address.query.search !== undefined;
  return isFiltered ? (
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
}
