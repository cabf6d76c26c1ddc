import { Button, CloseButton, Menu, Popover, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import choice from '#console/data/choice.module.css';
import { Icon } from '#console/facts/icon.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import { useTimes } from '#console/hooks/use-times.ts';
import { AssigneeValues } from './assignee/assignee-values.tsx';
import { useAssigneeName } from './assignee/use-assignee-name.ts';
import classes from './data.module.css';
import { assigneeAsked, chipsOf, clearing, type Filter, isSet as isFilterSet, switched } from './filters.ts';
import { IgnoredFilters } from './ignored-filters.tsx';
import { SearchField } from './search-field.tsx';
import { TimeValues } from './time/time-values.tsx';

interface Props {
  readonly filters: readonly Filter[];
  readonly address: Address;
  /** Words of values that are ids, by the name of their filter. */
  readonly said?: Readonly<Record<string, string | undefined>>;
  /** Names that the page has in the address beside its filters. */
  readonly known?: readonly string[];
  /** The fields of the search, as its placeholder. */
  readonly searches?: string;
  /** Before the filters: what is always there. */
  readonly children?: ReactNode;
  /** At the end of the line. */
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
        <TextInput name="value" label={words} defaultValue={set ?? ''} data-autofocus />
        <Button type="submit">Filter</Button>
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
  const list = (
    <ul className={classes.values}>
      {values.map(({ value, words: label }) => (
        <li key={value}>
          <button
            type="button"
            className={`${choice.choice} ${classes.value}`}
            aria-pressed={isSet(value)}
            onClick={() => choose(value)}
          >
            <span className={classes.tick}>{isSet(value) ? <Icon name="check" size={14} /> : null}</span>
            {label}
          </button>
        </li>
      ))}
    </ul>
  );
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
    <span className={classes.chip} data-set={isSet || undefined}>
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
          aria-label={`Without ${filter.words}`}
          onClick={() => address.change(clearing([filter]))}
        />
      ) : null}
    </span>
  );
}

/** Search, chips of what is set, and more of them; all of it stands in the address. */
export function FilterBar({ filters, address, said = {}, known = [], searches, children, end }: Props) {
  const [adding, setAdding] = useState<string | null>(null);
  const { when } = useTimes();
  const assignee = useAssigneeName(assigneeAsked(filters, address.query));
  const chips = chipsOf(filters, address.query, when);
  const free = filters.filter((filter) => !filter.isOfLinks && !isFilterSet(filter, address.query));
  const added = free.find(({ name }) => name === adding);
  // In one list with the others, so that its open values stay when the first of them is chosen.
  const drawn = added === undefined ? chips : [...chips, { name: added.name, words: added.words, value: '…' }];
  return (
    <div className={classes.bar}>
      {children}
      {searches === undefined ? null : <SearchField address={address} placeholder={searches} />}
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
            <Button variant="subtle" color="gray" leftSection={<Icon name="plus" size={12} />}>
              Filter
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
          Clear
        </Button>
      )}
      {end === undefined ? null : <span className={classes.end}>{end}</span>}
    </div>
  );
}
