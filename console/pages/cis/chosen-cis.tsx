import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ChosenBar } from '#console/data/chosen-bar.tsx';
import type { Choice } from '#console/grid/use-choice.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { BulkDialog, type Meant } from './bulk-dialog.tsx';
import type { selectedCis } from './ci-filters.ts';

/** One request changes so many. */
const MOST_CHANGED = 1_000;
/** A map begins with so many. */
const MOST_ON_MAP = 50;

interface Props {
  readonly choice: Choice;
  /** All that match; null: the server cannot be told which. */
  readonly filter: ReturnType<typeof selectedCis>;
  readonly total: number;
  readonly readAnew: () => unknown;
}

/** Actions on the selected CIs. */
export function ChosenCis({ choice, filter, total, readAnew }: Props) {
  const navigate = useNavigate();
  const mayWrite = useMay('cmdb.write');
  const [changing, setChanging] = useState<Meant | null>(null);
  const { selection, isAll } = choice;
  const meant = (): Meant => (isAll && filter !== null ? { filter, expect: total } : { ids: [...selection.ids] });
  const showFalling = (): void => {
    const ci = [...selection.ids].slice(0, MOST_ON_MAP).join(',');
    void navigate({ to: '/topology', search: { mode: 'impact', ci } as never });
  };
  return (
    <>
      {mayWrite ? (
        <ChosenBar choice={choice} one="CI" total={total} mayAll={filter !== null && total <= MOST_CHANGED}>
          <Button variant="default" onClick={() => setChanging(meant())}>
            Change…
          </Button>
          <Button variant="default" disabled={isAll} onClick={showFalling}>
            What fails with them
          </Button>
        </ChosenBar>
      ) : null}
      <BulkDialog
        key={changing === null ? 'none' : 'some'}
        meant={changing}
        onClose={() => setChanging(null)}
        done={() => {
          choice.selectNone();
          void readAnew();
        }}
      />
    </>
  );
}
