import { ActionIcon, Button, Popover, Switch, TextInput } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { changeView, deleteView, makeView, type View, type ViewInput } from '#console/api/views.ts';
import { Icon } from '#console/components/icon.tsx';
import choice from '#console/data/choice.module.css';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { number } from '#console/text/counts.ts';
import * as shared from '#console/text/texts.ts';
import * as texts from './texts.ts';
import type { Columns, Views } from './use-views.ts';
import classes from './views.module.css';
import { isChanged, queryOf } from './views.ts';

interface ViewEntryProps {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly isFirst: boolean;
  readonly choose: () => void;
  readonly beginWith: () => void;
  /** Content after the name: its owner, its number of rows. */
  readonly notes?: ReactNode;
  /** Content after the star. */
  readonly children?: ReactNode;
}

/** A line of the menu: chosen by a click; the page begins with it while its star is set. */
function ViewEntry({ name, isCurrent, isFirst, choose, beginWith, notes, children }: ViewEntryProps) {
  return (
    <li className={classes.row}>
      <button
        type="button"
        className={`${choice.choice} ${classes.name}`}
        aria-current={isCurrent || undefined}
        onClick={choose}
      >
        <span className={classes.words}>{name}</span>
        {notes}
      </button>
      <ActionIcon
        size={24}
        className={classes.star}
        aria-label={texts.setAsDefault(name)}
        title={isFirst ? texts.defaultView : texts.setDefault}
        aria-pressed={isFirst}
        onClick={beginWith}
      >
        <Icon name="star" size={14} />
      </ActionIcon>
      {children}
    </li>
  );
}

interface ChangesProps {
  readonly name: string;
  readonly edit: () => void;
  readonly remove: () => void;
}

function ViewChanges({ name, edit, remove }: ChangesProps) {
  return (
    <>
      <ActionIcon size={24} aria-label={texts.renameOrShare(name)} onClick={edit}>
        <Icon name="edit" size={14} />
      </ActionIcon>
      <ActionIcon size={24} aria-label={texts.deleteView(name)} onClick={remove}>
        <Icon name="close" size={14} />
      </ActionIcon>
    </>
  );
}

interface PartProps {
  readonly title: string;
  readonly views: readonly View[];
  readonly entry: (view: View) => ReactNode;
}

function ViewsPart({ title, views, entry }: PartProps) {
  return views.length === 0 ? null : (
    <section aria-label={title}>
      <h3 className={classes.head}>{title}</h3>
      <ul className={classes.list}>{views.map(entry)}</ul>
    </section>
  );
}

interface ViewDialogProps {
  /** `new`: the current list becomes a view. Null: closed. */
  readonly view: View | 'new' | null;
  readonly onClose: () => void;
  readonly keep: (view: View | 'new', name: string, shared: boolean) => Promise<unknown>;
}

const MAX_NAME = 80;

/** Names a view and selects its audience. */
function ViewDialog({ view, onClose, keep }: ViewDialogProps) {
  const mayShare = useMay('events.write');
  const known = view === null || view === 'new' ? null : view;
  return (
    <FormDialog
      opened={view !== null}
      title={known === null ? texts.saveView : texts.editView(known.name)}
      action={texts.save}
      onClose={onClose}
      send={(form) => keep(view ?? 'new', String(form.get('name') ?? '').trim(), form.get('shared') !== null)}
    >
      {(problems) => (
        <>
          <TextInput
            name="name"
            label={texts.name}
            required
            maxLength={MAX_NAME}
            defaultValue={known?.name ?? ''}
            error={problems.name}
            data-autofocus
          />
          {mayShare ? (
            <Switch
              name="shared"
              label={texts.shareWithTenant}
              description={texts.everyoneTenantCanSee}
              defaultChecked={known?.shared ?? false}
            />
          ) : null}
        </>
      )}
    </FormDialog>
  );
}

const draftOf = ({ name, page, query, columns, shared }: View): ViewInput => ({ name, page, query, columns, shared });

/** Actions on views. */
const useViewChanges = (views: Views, columns: Columns, address: Address) => {
  const { call } = useAppServices();
  const shown = () => ({ page: views.page, query: queryOf(address.query), columns: [...columns.shown] });
  const attempt = async (failed: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      showError(failed, error);
    }
    await views.readAnew();
  };
  return {
    /** Throws the server's error: the dialog stays open then. */
    async keep(view: View | 'new', name: string, shared: boolean): Promise<void> {
      const kept =
        view === 'new'
          ? await makeView(call, { ...shown(), name, shared })
          : await changeView(call, view.id, { ...draftOf(view), name, shared });
      await views.readAnew();
      showToast({ text: texts.savedView(name) });
      if (view === 'new') views.choose(kept);
    },
    saveChanges: (view: View) =>
      attempt(texts.couldntSaveTheView, async () => {
        await changeView(call, view.id, { ...draftOf(view), ...shown() });
        showToast({ text: texts.updatedView(view.name), undo: () => changeBack(view) });
      }),
    remove: (view: View) =>
      attempt(texts.couldntDeleteTheView, async () => {
        await deleteView(call, view.id);
        if (views.current?.id === view.id) views.choose(null);
        showToast({ text: texts.deletedView(view.name), undo: () => makeAgain(view) });
      }),
  };
  function changeBack(view: View): Promise<void> {
    return attempt(shared.couldntUndo, () => changeView(call, view.id, draftOf(view)));
  }
  function makeAgain(view: View): Promise<void> {
    return attempt(shared.couldntUndo, () => makeView(call, draftOf(view)));
  }
};

interface Props {
  readonly views: Views;
  readonly columns: Columns;
  readonly address: Address;
  /** The name of the list without a view: `All groups`. */
  readonly whole: string;
  /** Returns the number of rows of a view. */
  readonly countOf: (search: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<number>;
}

/** Else it is as wide as the longest name. */
const WIDTH = 'min(22rem, calc(100vw - 2rem))';
/** Views whose rows are counted when the menu opens. */
const MAX_COUNTED = 12;

const useCounts = (views: readonly View[], countOf: Props['countOf']): ReadonlyMap<string, number> => {
  const counted = views.slice(0, MAX_COUNTED);
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
          {view.shared && !view.mine ? (
            <span className={classes.note}>
              {texts.by} {view.by}
            </span>
          ) : null}
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
      <ViewsPart title={texts.myViews} views={mine} entry={entry} />
      <ViewsPart title={texts.sharedViews} views={shared} entry={entry} />
    </>
  );
}

/** Named lists: the user's own and shared ones. */
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
            {hasChanged ? <span className={classes.note}> {texts.modified}</span> : null}
          </Button>
        </Popover.Target>
        <Popover.Dropdown p="xs" className={classes.menu}>
          <Entries {...menu} close={close} mayChange={mayChange} edit={edit} remove={changes.remove} />
          <div className={classes.foot}>
            {current !== undefined && hasChanged && mayChange(current) ? (
              <Button variant="subtle" onClick={() => keepChanges(current)}>
                {texts.saveChangesTo(current.name)}
              </Button>
            ) : null}
            <Button variant="subtle" leftSection={<Icon name="plus" size={12} />} onClick={() => edit('new')}>
              {texts.saveAsNewView}
            </Button>
          </div>
        </Popover.Dropdown>
      </Popover>
      <ViewDialog view={edited} onClose={() => setEdited(null)} keep={changes.keep} />
    </>
  );
}
