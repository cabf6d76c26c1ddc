import { Button, CloseButton, Menu, Popover, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { findAssigned } from '#console/api/assignees.ts';
import { Icon } from '#console/components/icon.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { useTimes } from '#console/hooks/use-times.ts';
import { AssigneeValues } from './assignee/assignee-values.tsx';
import { ServiceValues } from './assignee/service-values.tsx';
import { ValueList } from './assignee/value-list.tsx';
import classes from './data.module.css';
import { assigneeAsked, chipsOf, clearing, type Filter, isSet as isFilterSet, switched } from './filters.ts';
import { IgnoredFilters } from './ignored-filters.tsx';
import * as texts from './texts.ts';
import { TimeValues } from './time/time-values.tsx';

const TYPING_MS = 300;

/** Words that the rows of a list must have; `/` leads here, `Esc` back to the list. */
function SearchField({
  address,
  placeholder,
  unfold,
}: {
  readonly address: Address;
  readonly placeholder: string;
  readonly unfold: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const asked = address.query.search ?? '';
  /** The newest text of the field that the address was given, and whether the address has it by now. */
  const given = useRef({ text: asked, isThere: true });
  const search = useDebouncedCallback((typed: string) => {
    const text = typed.trim();
    given.current = { text, isThere: text === asked };
    address.change({ search: text || null }, { replace: true });
  }, TYPING_MS);
  useEffect(() => {
    const { text, isThere } = given.current;
    given.current.isThere ||= asked === text;
    // The address lags behind with earlier texts until then.
    if (input.current === null || asked === text || !isThere) return;
    search.cancel();
    given.current.text = asked;
    input.current.value = asked;
  }, [asked, search]);
  const begin = (): void => {
    unfold();
    // It is drawn by then.
    queueMicrotask(() => input.current?.focus());
  };
  useShortcuts([{ keys: '/', words: texts.search, section: 'List', run: begin }]);
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={texts.search}
      placeholder={placeholder}
      className={`${classes.search} ${classes.folds}`}
      data-set={asked !== '' || undefined}
      leftSection={<Icon name="search" size={14} />}
      defaultValue={asked}
      onChange={({ currentTarget }) => search(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && event.key !== 'Enter') return;
        event.preventDefault();
        search.flush();
        document.querySelector<HTMLElement>('[data-keys] [tabindex="0"]')?.focus();
      }}
    />
  );
}

/** The name of a user or team. */
const useAssigneeName = (id: string | undefined): string | undefined => {
  const found = useRead(['assignees', 'named', id], (call, signal) => findAssigned(call, [id ?? ''], signal), {
    enabled: id !== undefined,
  });
  return [...(found.data?.users ?? []), ...(found.data?.teams ?? [])].find(({ _id }) => _id === id)?.name;
};

interface Props {
  readonly filters: readonly Filter[];
  readonly address: Address;
  /** Words of values that are ids, by the name of their filter. */
  readonly said?: Readonly<Record<string, string | undefined>>;
  /** Names that the page has in the address beside its filters. */
  readonly known?: readonly string[];
  /** The fields of the search, as its placeholder. */
  readonly searches?: string;
  /** Permanent content before the filters. */
  readonly children?: ReactNode;
  /** Content at the end of the line. */
  readonly end?: ReactNode;
}

function Values({
  filter,
  address,
  done,
}: {
  readonly filter: Filter;
  readonly address: Address;
  readonly done: () => void;
}) {
  const { name, words, values, isMany, isTime } = filter;
  const set = address.query[name];
  if (values === undefined) {
    const submit = (event: FormEvent<HTMLFormElement>): void => {
      event.preventDefault();
      address.change({ [name]: String(new FormData(event.currentTarget).get('value') ?? '').trim() || null });
      done();
    };
    return (
      <form onSubmit={submit} className={classes.valueForm}>
        <TextInput name="value" label={words} placeholder={filter.example} defaultValue={set ?? ''} data-autofocus />
        <Button type="submit">{texts.filter}</Button>
      </form>
    );
  }
  const isSet = (value: string): boolean => (isMany ? (set ?? '').split(',').includes(value) : set === value);
  const choose = (value: string): void => {
    const next = isMany ? switched(set, value) : isSet(value) ? null : value;
    address.change({ ...clearing([filter]), [name]: next });
    if (!isMany) done();
  };
  if (filter.isAssignee) return <AssigneeValues words={words} first={values} set={set} choose={choose} />;
  if (filter.isService) return <ServiceValues words={words} isSet={isSet} choose={choose} />;
  const list = <ValueList values={values} isSet={isSet} choose={choose} />;
  if (!isTime) return list;
  return (
    <>
      {list}
      <TimeValues address={address} name={name} done={done} />
    </>
  );
}

/** One filter as a button that opens its values: a chip when it is set. */
function ChipButton({
  filter,
  text,
  address,
  startsOpen,
  onClosed,
}: {
  readonly filter: Filter;
  readonly text: string;
  readonly address: Address;
  readonly startsOpen: boolean;
  readonly onClosed: () => void;
}) {
  const [isOpen, setOpen] = useState(startsOpen);
  const close = (): void => {
    setOpen(false);
    onClosed();
  };
  const isSet = isFilterSet(filter, address.query);
  return (
    <span className={`${classes.chip} ${classes.folds}`} data-set={isSet || undefined}>
      {filter.isOfLinks ? (
        <span className={classes.chipText} title={text}>
          {text}
        </span>
      ) : (
        <Popover
          opened={isOpen}
          onChange={(next) => (next ? setOpen(true) : close())}
          position="bottom-start"
          shadow="md"
          trapFocus
        >
          <Popover.Target>
            <button type="button" className={classes.chipText} onClick={() => (isOpen ? close() : setOpen(true))}>
              {text}
            </button>
          </Popover.Target>
          <Popover.Dropdown p="xs">
            <Values filter={filter} address={address} done={close} />
          </Popover.Dropdown>
        </Popover>
      )}
      {isSet ? (
        <CloseButton
          size={24}
          aria-label={texts.remove(filter.words)}
          onClick={() => address.change(clearing([filter]))}
        />
      ) : null}
    </span>
  );
}

/** Search, chips of active filters, and a menu of more; all of it is stored in the address. */
export function FilterBar({ filters, address, said = {}, known = [], searches, children, end }: Props) {
  const [adding, setAdding] = useState<string | null>(null);
  const [isUnfolded, setUnfolded] = useState(false);
  const { when } = useTimes();
  const assignee = useAssigneeName(assigneeAsked(filters, address.query));
  const chips = chipsOf(filters, address.query, when);
  const free = filters.filter((filter) => !filter.isOfLinks && !isFilterSet(filter, address.query));
  const added = free.find(({ name }) => name === adding);
  // One list with the others, so that its open values stay when the first of them is chosen.
  const drawn = added === undefined ? chips : [...chips, { name: added.name, words: added.words, value: '…' }];
  return (
    <div className={classes.bar} data-unfolded={isUnfolded || undefined}>
      <Button
        variant="default"
        className={classes.unfold ?? ''}
        aria-expanded={isUnfolded}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        {texts.filters}
      </Button>
      {children}
      {searches === undefined ? null : (
        <SearchField address={address} placeholder={searches} unfold={() => setUnfolded(true)} />
      )}
      {drawn.map(({ name, words, value }) => {
        const filter = filters.find((one) => one.name === name);
        return filter === undefined ? null : (
          <ChipButton
            key={name}
            filter={filter}
            text={`${words}: ${said[name] ?? (filter.isAssignee ? assignee : undefined) ?? value}`}
            address={address}
            startsOpen={name === adding}
            onClosed={() => setAdding(null)}
          />
        );
      })}
      <IgnoredFilters
        filters={filters}
        address={address}
        known={searches === undefined ? known : [...known, 'search']}
      />
      {free.length === 0 ? null : (
        <Menu>
          <Menu.Target>
            <Button
              variant="subtle"
              color="gray"
              className={classes.folds ?? ''}
              leftSection={<Icon name="plus" size={12} />}
            >
              {texts.addFilter}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {free.map(({ name, words }) => (
              <Menu.Item key={name} onClick={() => setAdding(name)}>
                {words}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {chips.length < 2 ? null : (
        <Button variant="subtle" color="gray" onClick={() => address.change(clearing(filters, ['search']))}>
          {texts.clearFilters}
        </Button>
      )}
      {end === undefined ? null : <span className={`${classes.end} ${classes.folds}`}>{end}</span>}
    </div>
  );
}
