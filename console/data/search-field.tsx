import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { Icon } from '#console/facts/icon.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import classes from './data.module.css';

const TYPING_MS = 300;

/** Words that the rows of a list must have; `/` leads here, `Esc` back to the list. */
export function SearchField({ address, placeholder }: { readonly address: Address; readonly placeholder: string }) {
  const input = useRef<HTMLInputElement>(null);
  const asked = address.query.search ?? '';
  const given = useRef(asked);
  const search = useDebouncedCallback((text: string) => {
    given.current = text.trim();
    address.change({ search: given.current || null }, { replace: true });
  }, TYPING_MS);
  // The field has what the address has, except while somebody types.
  useEffect(() => {
    if (input.current === null || asked === given.current) return;
    search.cancel();
    given.current = asked;
    input.current.value = asked;
  }, [asked, search]);
  useShortcuts([{ keys: '/', words: 'Search', section: 'List', run: () => input.current?.focus() }]);
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label="Search"
      placeholder={placeholder}
      className={classes.search}
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
