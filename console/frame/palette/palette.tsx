import { UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '#console/facts/icon.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import type { Shortcut } from '#console/keys/registry.ts';
import classes from '../frame.module.css';
import { type PaletteEntry, type PaletteFound, usePaletteParts } from './use-palette-parts.tsx';

const [store, spotlight] = createSpotlight();

export function PaletteButton() {
  const keys = navigator.userAgent.includes('Mac') ? '⌘ K' : 'Ctrl K';
  return (
    <UnstyledButton className={classes.jump} onClick={spotlight.open} aria-label={`Search or jump ${keys}`}>
      <Icon name="search" size={14} />
      <span className={classes.jumpWords}>Search or jump</span> <kbd>{keys}</kbd>
    </UnstyledButton>
  );
}

const TYPING_MS = 150;
/** Until the focus is back on the page. */
const CLOSED_MS = 60;

interface PartProps {
  readonly label: string;
  readonly found: readonly PaletteFound[];
  /** Enter came before the finds of the newest words. */
  readonly wait: () => void;
}
const Part = ({ label, found, wait }: PartProps) =>
  found.length === 0 ? null : (
    <Spotlight.ActionsGroup label={label}>
      {found.map(({ key, label: words, description, mark, record, run }) => (
        <Spotlight.Action
          key={key}
          label={words}
          leftSection={mark}
          data-record={record}
          closeSpotlightOnTrigger={record !== 'old'}
          onClick={() => (record === 'old' ? wait() : run())}
          {...(description !== undefined && { description })}
        />
      ))}
    </Spotlight.ActionsGroup>
  );

/** Finds of the server come after the words: Enter takes the first of them, too, as soon as it is seen. */
const useFirstChosen = (keys: string): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other keys are another list.
  useLayoutEffect(() => {
    const [first, ...others] = document.querySelectorAll('[role="dialog"] [data-action]');
    if (first === undefined || [first, ...others].some((one) => one.hasAttribute('data-selected'))) return;
    first.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: 0 }));
  }, [keys]);
};

/** Enter may come before the server has answered to the newest words: its first find is chosen then. Returns what begins the wait. */
const useAwaited = (words: string, isOld: boolean): ((isAwaited: boolean) => void) => {
  const awaited = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (awaited.current === null || (isOld && awaited.current === words)) return;
    const isSame = awaited.current === words;
    awaited.current = null;
    if (isSame) document.querySelector<HTMLElement>('[role="dialog"] [data-record]')?.click();
  }, [words, isOld]);
  return (isAwaited) => {
    awaited.current = isAwaited ? words : null;
  };
};

/** Jumps to pages, groups, events and CIs, and does what the page can do with what is selected. */
export function Palette({ entries }: { readonly entries: readonly PaletteEntry[] }) {
  const { registry } = useParts();
  const [text, setText] = useState('');
  const [actions, setActions] = useState<readonly Shortcut[]>([]);
  const chosen = useRef<Shortcut | null>(null);
  const words = text.trim();
  const [searched] = useDebouncedValue(words, TYPING_MS);
  const open = (): void => {
    setActions(registry.actions());
    spotlight.open();
  };
  useEffect(() => registry.hold(() => store.getState().opened), [registry]);
  useShortcuts([{ keys: 'mod+k', words: 'Search or jump', section: 'Everywhere', run: open }]);
  const parts = usePaletteParts({
    words,
    searched,
    entries,
    actions,
    choose: (action) => {
      chosen.current = action;
    },
  });
  const wait = useAwaited(
    words,
    parts.some(([, found]) => found.some(({ record }) => record === 'old')),
  );
  useFirstChosen(words === '' ? '' : parts.flatMap(([, found]) => found.map(({ key }) => key)).join(' '));

  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={setText}
      onSpotlightOpen={() => setActions(registry.actions())}
      onSpotlightClose={() => {
        wait(false);
        // A list that comes next takes the focus from nobody who still seems to write here.
        const active = document.activeElement;
        if (active instanceof HTMLElement && active.closest('[role=dialog]') !== null) active.blur();
        const action = chosen.current;
        chosen.current = null;
        if (action !== null) setTimeout(action.run, CLOSED_MS);
      }}
      shortcut={null}
      clearQueryOnClose
      scrollable
      maxHeight="60dvh"
    >
      <Spotlight.Search
        placeholder="Actions, pages, groups, events, CIs"
        leftSection={<Icon name="search" />}
        aria-label="Search or jump"
      />
      <Spotlight.ActionsList>
        {parts.map(([label, found]) => (
          <Part key={label} label={label} found={found} wait={() => wait(true)} />
        ))}
        {parts.every(([, found]) => found.length === 0) ? <Spotlight.Empty>Nothing found</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
