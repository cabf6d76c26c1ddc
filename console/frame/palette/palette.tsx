import { UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { openSpotlight, Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { Icon, type IconName } from '#console/facts/icon.tsx';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import type { Shortcut } from '#console/keys/registry.ts';
import { plain } from '#console/words/counts.ts';
import { sentence } from '#console/words/group-words.ts';
import classes from '../frame.module.css';
import { useFound } from './use-found.ts';

export function PaletteButton() {
  const keys = navigator.userAgent.includes('Mac') ? '⌘ K' : 'Ctrl K';
  return (
    <UnstyledButton className={classes.jump} onClick={openSpotlight} aria-label={`Search or jump ${keys}`}>
      <Icon name="search" size={14} />
      <span className={classes.jumpWords}>Search or jump</span> <kbd>{keys}</kbd>
    </UnstyledButton>
  );
}

const TYPING_MS = 150;
/** Until the focus is back on the page. */
const CLOSED_MS = 60;

/** A page that it jumps to. */
interface Entry {
  readonly to: string;
  readonly words: string;
  readonly icon: IconName;
}

interface Found {
  readonly key: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly mark?: ReactNode;
  readonly run: () => unknown;
}

const Part = ({ label, found }: { readonly label: string; readonly found: readonly Found[] }) =>
  found.length === 0 ? null : (
    <Spotlight.ActionsGroup label={label}>
      {found.map(({ key, label: words, description, mark, run }) => (
        <Spotlight.Action
          key={key}
          label={words}
          leftSection={mark}
          onClick={() => run()}
          {...(description !== undefined && { description })}
        />
      ))}
    </Spotlight.ActionsGroup>
  );

/** Jumps to pages, groups, events and CIs, and does what the page can do with what is selected. */
export function Palette({ entries }: { readonly entries: readonly Entry[] }) {
  const { registry } = useParts();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [actions, setActions] = useState<readonly Shortcut[]>([]);
  const chosen = useRef<Shortcut | null>(null);
  const words = text.trim();
  const [searched] = useDebouncedValue(words, TYPING_MS);
  const { groups, events, cis } = useFound(searched);
  const open = (): void => {
    setActions(registry.actions());
    openSpotlight();
  };
  useShortcuts([{ keys: 'mod+k', words: 'Search or jump', section: 'Everywhere', run: open }]);
  const has = (label: string): boolean => label.toLowerCase().includes(words.toLowerCase());

  const parts: readonly (readonly [string, readonly Found[]])[] = [
    [
      'Actions',
      actions
        .filter((action) => has(action.words))
        .map((action) => ({
          ...{ key: action.keys, label: action.words, description: action.of },
          run: () => {
            chosen.current = action;
          },
        })),
    ],
    [
      'Pages',
      entries
        .filter((entry) => has(entry.words))
        .map(({ to, words: label, icon }) => ({
          ...{ key: to, label, mark: <Icon name={icon} />, run: () => navigate({ to }) },
        })),
    ],
    [
      'Groups',
      groups.map((group) => ({
        key: group.correlationId,
        label: group.title ?? 'A group without a cause',
        description: sentence(group),
        mark: group.severity === null ? null : <SeverityMark severity={group.severity} bare />,
        run: () => navigate({ to: `/groups/${group.correlationId}` }),
      })),
    ],
    [
      'Events',
      events.map(({ eventId, title, severity, status, ciId, hostname }) => ({
        key: eventId,
        label: title,
        description: `${ciId?.name ?? hostname ?? 'no host'}, ${status}`,
        mark: <SeverityMark severity={severity} bare />,
        run: () => navigate({ to: '/events', search: { event: eventId } as never }),
      })),
    ],
    [
      'CIs',
      cis.map(({ _id, name, type }) => ({
        ...{ key: _id, label: name, description: plain(type), mark: <Icon name="cis" /> },
        run: () => navigate({ to: `/cis/${_id}` }),
      })),
    ],
  ];

  return (
    <Spotlight.Root
      query={text}
      onQueryChange={setText}
      onSpotlightOpen={() => setActions(registry.actions())}
      onSpotlightClose={() => {
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
          <Part key={label} label={label} found={found} />
        ))}
        {parts.every(([, found]) => found.length === 0) ? <Spotlight.Empty>Nothing found</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
