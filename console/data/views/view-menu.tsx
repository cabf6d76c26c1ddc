import { Button, Popover } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { View } from '#console/api/views.ts';
import { Icon } from '#console/facts/icon.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { number } from '#console/words/counts.ts';
import { useViewChanges } from './use-view-changes.ts';
import type { Columns, Views } from './use-views.ts';
import { ViewDialog } from './view-dialog.tsx';
import { ViewChanges, ViewEntry, ViewsPart } from './view-entry.tsx';
import classes from './views.module.css';
import { isChanged } from './views.ts';

interface Props {
  readonly views: Views;
  readonly columns: Columns;
  readonly address: Address;
  /** The name of the list without a view: `All groups`. */
  readonly whole: string;
  /** How many rows a view has. */
  readonly countOf: (search: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<number>;
}

/** Else it is as wide as the longest name. */
const WIDTH = 'min(22rem, calc(100vw - 2rem))';
/** Views whose rows are counted when the menu opens. */
const MOST_COUNTED = 12;

const useCounts = (views: readonly View[], countOf: Props['countOf']): ReadonlyMap<string, number> => {
  const counted = views.slice(0, MOST_COUNTED);
  const found = useQueries({
    queries: counted.map(({ id, page, query }) => ({
      queryKey: [page, 'count', 'view', id, query],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        countOf(Object.fromEntries(new URLSearchParams(query)), signal),
      staleTime: 5_000,
    })),
  });
  return new Map(counted.flatMap(({ id }, at) => (found[at]?.data === undefined ? [] : [[id, found[at].data]])));
};

type Edited = View | 'new';
type EntriesProps = Omit<Props, 'columns' | 'address'> & {
  readonly close: () => void;
  readonly mayChange: (view: View) => boolean;
  readonly edit: (view: View) => void;
  readonly remove: (view: View) => unknown;
};

/** Drawn while the menu is open. */
function Entries({ views, whole, countOf, close, mayChange, edit, remove }: EntriesProps) {
  const { all, current, first } = views;
  const counts = useCounts(all, countOf);
  const lineOf = (view: View | null) => ({
    isCurrent: view?.id === current?.id,
    isFirst: view?.id === first,
    beginWith: () => views.beginWith(view),
    choose: (): void => {
      close();
      views.choose(view);
    },
  });
  const entry = (view: View) => (
    <ViewEntry
      key={view.id}
      name={view.name}
      {...lineOf(view)}
      notes={
        <>
          {view.shared && !view.mine ? <span className={classes.note}>by {view.by}</span> : null}
          <span className={classes.note}>{counts.has(view.id) ? number(counts.get(view.id) ?? 0) : ''}</span>
        </>
      }
    >
      {mayChange(view) ? (
        <ViewChanges name={view.name} edit={() => edit(view)} remove={() => void remove(view)} />
      ) : null}
    </ViewEntry>
  );
  const [mine, shared] = [all.filter((view) => !view.shared), all.filter((view) => view.shared)];
  return (
    <>
      <ul className={classes.list}>
        <ViewEntry name={whole} {...lineOf(null)} />
      </ul>
      <ViewsPart title="Mine" views={mine} entry={entry} />
      <ViewsPart title="Shared" views={shared} entry={entry} />
    </>
  );
}

/** Lists as people have named them: one's own and those that all share. */
export function ViewMenu({ columns, address, ...menu }: Props) {
  const { views, whole } = menu;
  const [isOpen, setOpen] = useState(false);
  const [edited, setEdited] = useState<Edited | null>(null);
  const mayManage = useMay('settings.manage');
  const changes = useViewChanges(views, columns, address);
  const { current } = views;
  const mayChange = ({ mine, shared }: View): boolean => mine || (shared && mayManage);
  const hasChanged = current !== undefined && isChanged(current, address.query, columns.shown);
  const close = (): void => setOpen(false);
  const edit = (view: Edited): void => {
    close();
    setEdited(view);
  };
  const keepChanges = (view: View): void => {
    close();
    void changes.saveChanges(view);
  };

  return (
    <>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" width={WIDTH} trapFocus>
        <Popover.Target>
          <Button
            variant="subtle"
            color="gray"
            className={classes.button}
            rightSection={<Icon name="down" size={12} />}
            onClick={() => setOpen(!isOpen)}
          >
            <span className={classes.words}>{current?.name ?? whole}</span>
            {hasChanged ? <span className={classes.note}> changed</span> : null}
          </Button>
        </Popover.Target>
        <Popover.Dropdown p="xs" className={classes.menu}>
          <Entries {...menu} close={close} mayChange={mayChange} edit={edit} remove={changes.remove} />
          <div className={classes.foot}>
            {current !== undefined && hasChanged && mayChange(current) ? (
              <Button variant="subtle" onClick={() => keepChanges(current)}>
                Save the changes of “{current.name}”
              </Button>
            ) : null}
            <Button variant="subtle" leftSection={<Icon name="plus" size={12} />} onClick={() => edit('new')}>
              Save as a view…
            </Button>
          </div>
        </Popover.Dropdown>
      </Popover>
      <ViewDialog view={edited} onClose={() => setEdited(null)} keep={changes.keep} />
    </>
  );
}
