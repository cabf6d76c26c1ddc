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
    // Until then the address comes by texts that were typed before.
    if (input.current === null || asked === text || !isThere) return;
    search.cancel();
    given.current.text = asked;
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
