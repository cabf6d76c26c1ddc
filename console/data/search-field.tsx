import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useRef } from 'react';
import { Icon } from '#console/facts/icon.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import classes from './data.module.css';

const TYPING_MS = 300;

/** Words that the rows of a list must have; `/` leads here, `Esc` back to the list. */
export function SearchField({ address, placeholder }: { readonly address: Address; readonly placeholder: string }) {
  const input = useRef<HTMLInputElement>(null);
  const search = useDebouncedCallback(
    (text: string) => address.change({ search: text.trim() || null }, { replace: true }),
    TYPING_MS,
  );
  useShortcuts([{ keys: '/', words: 'Search', section: 'List', run: () => input.current?.focus() }]);
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label="Search"
      placeholder={placeholder}
      className={classes.search}
      leftSection={<Icon name="search" size={14} />}
      key={address.query.search === undefined ? 'empty' : 'set'}
      defaultValue={address.query.search ?? ''}
      onChange={({ currentTarget }) => search(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && event.key !== 'Enter') return;
        event.preventDefault();
        document.querySelector<HTMLElement>('[data-keys] [tabindex="0"]')?.focus();
      }}
    />
  );
}
