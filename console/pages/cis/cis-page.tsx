import { Button } from '@mantine/core';
import { useState } from 'react';
import { MakeDialog } from '#console/cis/make-dialog.tsx';
import { FilterBar } from '#console/data/filter-bar.tsx';
import { Page } from '#console/frame/page.tsx';
import place from '#console/grid/place.module.css';
import { useChoice } from '#console/grid/use-choice.ts';
import { useHeld } from '#console/grid/use-held.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { count } from '#console/words/counts.ts';
import { ChosenCis } from './chosen-cis.tsx';
import { CI_KNOWN, ciFilters, readCiAddress, selectedCis } from './ci-filters.ts';
import classes from './cis-page.module.css';
import { CisTable } from './cis-table.tsx';
import { TypeCounts } from './type-counts.tsx';
import { useCis, useTypes } from './use-cis.ts';

/** All configuration items. */
export function CisPage() {
  const address = useAddress(readCiAddress);
  const mayWrite = useMay('cmdb.write');
  const { isHeld, holding } = useHeld();
  const choice = useChoice();
  const [isMaking, setMaking] = useState(false);
  const types = useTypes();
  const filters = ciFilters(types.data);
  const cis = useCis(address.query, isHeld || choice.hasAny);
  useShortcuts([
    { keys: 'Escape', words: 'Select nothing', section: 'List', isActive: choice.hasAny, run: choice.selectNone },
  ]);

  return (
    <Page title="CIs" quiet>
      <FilterBar
        filters={filters}
        address={address}
        known={CI_KNOWN}
        searches="Name, host name, address or key"
        end={
          <>
            {cis.first.data === undefined ? null : <span className={classes.total}>{count(cis.total, 'CI')}</span>}
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
          <CisTable cis={cis} filters={filters} address={address} choice={choice} />
          <ChosenCis choice={choice} filter={selectedCis(address.query)} total={cis.total} readAnew={cis.readAnew} />
        </section>
      </div>
      <MakeDialog opened={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}
