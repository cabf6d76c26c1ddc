import { UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '#console/components/icon.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { STATUS_WORDS } from '#console/components/status-text.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import type { Shortcut } from '#console/keys/registry.ts';
import type { FoundPlace } from '#console/slots/feature.ts';
import { plain } from '#console/text/counts.ts';
import { eventName } from '#console/text/event-text.ts';
import { groupTitle, sentence } from '#console/text/group-text.ts';
import classes from '../frame.module.css';
import { foundPlaces } from './places.ts';
import * as texts from './texts.ts';
import { useFound } from './use-found.ts';

interface PaletteFound {
  readonly key: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly mark?: ReactNode;
  /** An object of the tenant; `old`: found for earlier words than the typed ones. */
  readonly record?: 'old' | 'new';
  readonly run: () => unknown;
}

const has = (label: string, words: string): boolean => label.toLowerCase().includes(words.toLowerCase());

const foundActions = (
  actions: readonly Shortcut[],
  words: string,
  choose: (action: Shortcut) => void,
): PaletteFound[] =>
  actions
    .filter((action) => has(action.words, words))
    .map((action) => ({ key: action.keys, label: action.words, description: action.of, run: () => choose(action) }));

type Jump = ReturnType<typeof useNavigate>;
const foundPages = (places: readonly FoundPlace[], words: string, navigate: Jump): PaletteFound[] =>
  foundPlaces(places, words).map(({ to, words: label }) => {
    const [path = '', query = ''] = to.split('?');
    const run = () => navigate({ to: path, search: Object.fromEntries(new URLSearchParams(query)) as never });
    return { key: `${to} ${label}`, label, mark: <Icon name="right" />, run };
  });

type Records = ReturnType<typeof useFound>;
const foundGroups = ({ groups }: Records, navigate: Jump): PaletteFound[] =>
  groups.rows.map((group) => ({
    key: group.correlationId,
    label: groupTitle(group),
    description: sentence(group),
    mark: group.severity === null ? null : <SeverityMark severity={group.severity} bare />,
    run: () => navigate({ to: `/groups/${group.correlationId}` }),
  }));
const foundEvents = ({ events }: Records, navigate: Jump): PaletteFound[] =>
  events.rows.map((event) => ({
    key: event.eventId,
    label: eventName(event),
    description: STATUS_WORDS[event.status],
    mark: <SeverityMark severity={event.severity} bare />,
    run: () => navigate({ to: '/events', search: { event: event.eventId } as never }),
  }));
const foundCis = ({ cis }: Records, navigate: Jump): PaletteFound[] =>
  cis.rows.map(({ _id, name, type }) => ({
    key: _id,
    label: name,
    description: plain(type),
    mark: <Icon name="cis" />,
    run: () => navigate({ to: `/cis/${_id}` }),
  }));

interface PaletteState {
  readonly words: string;
  /** The words after a pause in typing: sent to the server. */
  readonly searched: string;
  readonly places: readonly FoundPlace[];
  readonly actions: readonly Shortcut[];
  readonly choose: (action: Shortcut) => void;
}

/** All that has the words, kind by kind. */
const usePaletteParts = ({ words, searched, places, actions, choose }: PaletteState) => {
  const navigate = useNavigate();
  const records = useFound(searched);
  const marked = (found: readonly PaletteFound[], { isOld }: { readonly isOld: boolean }): PaletteFound[] =>
    found.map((one) => ({ ...one, record: isOld || searched !== words ? 'old' : 'new' }));
  return [
    ['Actions', foundActions(actions, words, choose)],
    [texts.pages, foundPages(places, words, navigate)],
    ['Groups', marked(foundGroups(records, navigate), records.groups)],
    ['Events', marked(foundEvents(records, navigate), records.events)],
    ['CIs', marked(foundCis(records, navigate), records.cis)],
  ] as const;
};

const [store, spotlight] = createSpotlight();

export function PaletteButton() {
  const keys = navigator.userAgent.includes('Mac') ? '⌘ K' : texts.ctrlK;
  return (
    <UnstyledButton className={classes.jump} onClick={spotlight.open} aria-label={texts.searchOrGoTo(keys)}>
      <Icon name="search" size={14} />
      <span className={classes.jumpWords}>{texts.searchOrGoToHint}</span> <kbd>{keys}</kbd>
    </UnstyledButton>
  );
}

const TYPING_MS = 150;
/** Time until the focus is back on the page. */
const CLOSED_MS = 60;

interface PartProps {
  readonly label: string;
  readonly found: readonly PaletteFound[];
  /** Enter was pressed before the results of the newest words. */
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

/** Results of the server are behind the words: Enter selects the first of them, too, as soon as it is visible. */
const useFirstChosen = (keys: string): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other keys are another list.
  useLayoutEffect(() => {
    const [first, ...others] = document.querySelectorAll('[role="dialog"] [data-action]');
    if (first === undefined || [first, ...others].some((one) => one.hasAttribute('data-selected'))) return;
    first.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: 0 }));
  }, [keys]);
};

/**
 * Enter may be pressed before the server has answered to the newest words: its first result is selected then. Returns
 * the function that begins the wait.
 */
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

/** Jumps to pages, groups, events and CIs, and runs actions of the page on its selection. */
export function Palette({ places }: { readonly places: readonly FoundPlace[] }) {
  const { registry } = useAppServices();
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
  useShortcuts([{ keys: 'mod+k', words: texts.searchOrGoToHint, section: 'Everywhere', run: open }]);
  const parts = usePaletteParts({
    words,
    searched,
    places,
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
        // A list that opens next leaves the focus where the user still types.
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
        placeholder={texts.searchActionsPagesGroups}
        leftSection={<Icon name="search" />}
        aria-label={texts.searchOrGoToHint}
      />
      <Spotlight.ActionsList>
        {parts.map(([label, found]) => (
          <Part key={label} label={label} found={found} wait={() => wait(true)} />
        ))}
        {parts.every(([, found]) => found.length === 0) ? <Spotlight.Empty>{texts.noResults}</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
