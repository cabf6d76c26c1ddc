import { ActionIcon, Button, Popover } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { View } from '#console/api/views.ts';
import choice from '#console/data/choice.module.css';
import { Icon } from '#console/facts/icon.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { number } from '#console/words/counts.ts';
import { useViewChanges } from './use-view-changes.ts';
import type { Columns, Views } from './use-views.ts';
import { ViewDialog } from './view-dialog.tsx';
import classes from './views.module.css';
import { isChanged } from './views.ts';

interface Props {
  readonly views: Views;
  readonly columns: Columns;
  readonly address: Address;
  /** What the list is without a view: `All groups`. */
  readonly whole: string;
  /** How many rows a view has. */
  readonly countOf: (search: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<number>;
}

/** Views whose rows are counted when the menu opens. */
const MOST_COUNTED = 12;

const useCounts = (views: readonly View[], isOpen: boolean, countOf: Props['countOf']): ReadonlyMap<string, number> => {
  const counted = views.slice(0, MOST_COUNTED);
  const found = useQueries({
    queries: counted.map(({ id, page, query }) => ({
      queryKey: [page, 'count', 'view', id, query],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        countOf(Object.fromEntries(new URLSearchParams(query)), signal),
      enabled: isOpen,
      staleTime: 5_000,
    })),
  });
  return new Map(counted.flatMap(({ id }, at) => (found[at]?.data === undefined ? [] : [[id, found[at].data]])));
};

/** Lists as people have named them: one's own and those that all share. */
export function ViewMenu({ views, columns, address, whole, countOf }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [edited, setEdited] = useState<View | 'new' | null>(null);
  const mayManage = useMay('settings.manage');
  const changes = useViewChanges(views, columns, address);
  const counts = useCounts(views.all, isOpen, countOf);
  const { current, all, first } = views;
  const mayChange = ({ mine, shared }: View): boolean => mine || (shared && mayManage);
  const hasChanged = current !== undefined && isChanged(current, address.query, columns.shown);
  const close = (): void => setOpen(false);
  const edit = (view: View | 'new'): void => {
    close();
    setEdited(view);
  };

  const star = (view: View | null, name: string) => {
    const isFirst = view?.id === first;
    return (
      <ActionIcon
        size={24}
        className={classes.star}
        aria-label={`Begin with ${name}`}
        title={isFirst ? 'The page begins with it' : 'Begin with it'}
        aria-pressed={isFirst}
        onClick={() => views.beginWith(view)}
      >
        <Icon name="star" size={14} />
      </ActionIcon>
    );
  };
  const entry = (view: View) => (
    <li key={view.id} className={classes.row}>
      <button
        type="button"
        className={`${choice.choice} ${classes.name}`}
        aria-current={view.id === current?.id || undefined}
        onClick={() => {
          close();
          views.choose(view);
        }}
      >
        <span className={classes.words}>{view.name}</span>
        {view.shared && !view.mine ? <span className={classes.note}>by {view.by}</span> : null}
        <span className={classes.note}>{counts.has(view.id) ? number(counts.get(view.id) ?? 0) : ''}</span>
      </button>
      {star(view, view.name)}
      {mayChange(view) ? (
        <>
          <ActionIcon size={24} aria-label={`Rename or share ${view.name}`} onClick={() => edit(view)}>
            <Icon name="edit" size={14} />
          </ActionIcon>
          <ActionIcon size={24} aria-label={`Delete ${view.name}`} onClick={() => void changes.remove(view)}>
            <Icon name="close" size={14} />
          </ActionIcon>
        </>
      ) : null}
    </li>
  );
  const part = (title: string, some: readonly View[]) =>
    some.length === 0 ? null : (
      <section aria-label={title}>
        <h3 className={classes.head}>{title}</h3>
        <ul className={classes.list}>{some.map(entry)}</ul>
      </section>
    );

  return (
    <>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" trapFocus>
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
          <ul className={classes.list}>
            <li className={classes.row}>
              <button
                type="button"
                className={`${choice.choice} ${classes.name}`}
                aria-current={current === undefined || undefined}
                onClick={() => {
                  close();
                  views.choose(null);
                }}
              >
                {whole}
              </button>
              {star(null, whole)}
            </li>
          </ul>
          {part(
            'Mine',
            all.filter(({ shared }) => !shared),
          )}
          {part(
            'Shared',
            all.filter(({ shared }) => shared),
          )}
          <div className={classes.foot}>
            {current !== undefined && hasChanged && mayChange(current) ? (
              <Button
                variant="subtle"
                onClick={() => {
                  close();
                  void changes.saveChanges(current);
                }}
              >
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
