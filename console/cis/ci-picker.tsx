import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { listCis } from '#console/api/cmdb/cmdb.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { factOf, typeWords } from './ci-words.ts';
import * as texts from './texts.ts';

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
const TYPING_MS = 250;

/** Finds a CI by a part of its name, its address or its key. */
export function CiPicker({ label, picked, onPick, placeholder, hasLabel = true, className }: Props) {
  const [typed, setTyped] = useState(picked?.name ?? '');
  const [isOpen, setOpen] = useState(false);
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const search = text === picked?.name ? '' : text;
  const found = useRead(
    ['cis', 'found', search],
    (call, signal) => listCis(call, { search: search || undefined, limit: FOUND }, signal),
    { placeholderData: keepPreviousData, enabled: isOpen },
  );
  const rows = found.data?.data ?? [];
  const names = new Map(rows.map((ci) => [ci._id, ci.name]));
  const options = rows.map((ci) => ({
    value: ci._id,
    // Another label of the selected CI would replace the text being typed.
    label:
      ci._id === picked?.id
        ? picked.name
        : [ci.name, typeWords(ci.type), factOf(ci, 'ip_address')].filter(Boolean).join(' · '),
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
      nothingFoundMessage={found.isPending ? texts.searching : texts.noMatchingCis}
      maxDropdownHeight={320}
      allowDeselect={false}
      onChange={(id) => {
        const name = names.get(id ?? '');
        if (id !== null && name !== undefined) onPick({ id, name });
      }}
    />
  );
}
