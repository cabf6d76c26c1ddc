import { MultiSelect, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { type CiRow, listCis } from '#console/api/cmdb/cmdb.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { factOf, typeWords } from './ci-words.ts';
import * as texts from './texts.ts';
import { useNamed } from './use-named.ts';

export interface PickedCi {
  readonly id: string;
  readonly name: string;
}

interface Props {
  readonly label: string;
  readonly picked: PickedCi | null;
  readonly onPick: (ci: PickedCi) => void;
  readonly placeholder?: string;
  readonly hasLabel?: boolean;
  readonly className?: string | undefined;
}

const FOUND = 20;
const MAX_PICKED = 100;
const TYPING_MS = 250;

const labelOf = (ci: CiRow): string =>
  [ci.name, typeWords(ci.type), factOf(ci, 'ip_address')].filter(Boolean).join(' · ');

/** CIs that match the text; all match an empty one. */
const useFoundCis = (search: string, enabled: boolean) => {
  const found = useRead(
    ['cis', 'found', search],
    (call, signal) => listCis(call, { search: search || undefined, limit: FOUND }, signal),
    { placeholderData: keepPreviousData, enabled },
  );
  return { rows: found.data?.data ?? [], nothing: found.isPending ? texts.searching : texts.noMatchingCis };
};

/** Finds a CI by a part of its name, its address or its key. */
export function CiPicker({ label, picked, onPick, placeholder, hasLabel = true, className }: Props) {
  const [typed, setTyped] = useState(picked?.name ?? '');
  const [isOpen, setOpen] = useState(false);
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const search = text === picked?.name ? '' : text;
  const { rows, nothing } = useFoundCis(search, isOpen);
  const names = new Map(rows.map((ci) => [ci._id, ci.name]));
  const options = rows.map((ci) => ({
    value: ci._id,
    // Another label of the selected CI would replace the text being typed.
    label: ci._id === picked?.id ? picked.name : labelOf(ci),
  }));
  const known = picked === null || names.has(picked.id) ? [] : [{ value: picked.id, label: picked.name }];
  return (
    <Select
      {...(hasLabel ? { label } : { 'aria-label': label })}
      className={className ?? ''}
      placeholder={placeholder ?? texts.searchNameIpAddress}
      searchable
      data={[...known, ...options]}
      value={picked?.id ?? null}
      filter={({ options: all }) => all}
      searchValue={typed}
      onSearchChange={setTyped}
      onOptionSubmit={(id) => setTyped(picked === null ? '' : (names.get(id) ?? picked.name))}
      onDropdownOpen={() => setOpen(true)}
      nothingFoundMessage={nothing}
      maxDropdownHeight={320}
      allowDeselect={false}
      onChange={(id) => {
        const name = names.get(id ?? '');
        if (id !== null && name !== undefined) onPick({ id, name });
      }}
    />
  );
}

interface SeveralProps {
  readonly label: string;
  readonly picked: readonly string[];
  /** Names that are known already, by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly onPick: (cis: readonly PickedCi[]) => void;
  /** Class of the list of selected CIs. */
  readonly className?: string | undefined;
}

/** Finds several CIs, at most 100. */
export function CisPicker({ label, picked, names, onPick, className }: SeveralProps) {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const { rows, nothing } = useFoundCis(search, isOpen);
  const read = useNamed(picked.filter((id) => !names.has(id)));
  const known = new Map([...names, ...[...(read.data ?? []), ...rows].map((ci) => [ci._id, ci.name] as const)]);
  const nameOf = (id: string): string => known.get(id) ?? id;
  const others = rows.filter((ci) => !picked.includes(ci._id));
  return (
    <MultiSelect
      aria-label={label}
      classNames={{ pillsList: className ?? '' }}
      placeholder={picked.length === 0 ? texts.searchNameIpAddress : ''}
      searchable
      hidePickedOptions
      maxValues={MAX_PICKED}
      data={[
        ...picked.map((id) => ({ value: id, label: nameOf(id) })),
        ...others.map((ci) => ({ value: ci._id, label: labelOf(ci) })),
      ]}
      value={[...picked]}
      filter={({ options: all }) => all.filter((one) => !('value' in one && picked.includes(one.value)))}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      nothingFoundMessage={nothing}
      maxDropdownHeight={320}
      onChange={(ids) => onPick(ids.map((id) => ({ id, name: nameOf(id) })))}
    />
  );
}
