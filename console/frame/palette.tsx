import { UnstyledButton } from '@mantine/core';
import { openSpotlight, Spotlight } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { listGroups } from '#console/api/groups.ts';
import { Icon } from '#console/facts/icon.tsx';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { sentence } from '#console/words/group-words.ts';
import classes from './frame.module.css';
import type { Entry } from './navigation.ts';

export function PaletteButton() {
  const keys = navigator.userAgent.includes('Mac') ? '⌘ K' : 'Ctrl K';
  return (
    <UnstyledButton className={classes.jump} onClick={openSpotlight} aria-label={`Search or jump ${keys}`}>
      <Icon name="search" size={14} />
      <span className={classes.jumpWords}>Search or jump</span> <kbd>{keys}</kbd>
    </UnstyledButton>
  );
}

const LEAST_LETTERS = 2;

const useFoundGroups = (text: string) => {
  const { call } = useParts();
  const may = useMay('events.read');
  return useQuery({
    queryKey: ['groups', 'found', text],
    queryFn: ({ signal }) => listGroups(call, { search: text, limit: 6 }, signal),
    enabled: may && text.length >= LEAST_LETTERS,
    placeholderData: (before) => before,
  });
};

/** Jumps to pages, and to groups by their words. */
export function Palette({ entries }: { readonly entries: readonly Entry[] }) {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const words = text.trim();
  const found = useFoundGroups(words);
  useShortcuts([{ keys: 'mod+k', words: 'Search or jump', section: 'Everywhere', run: openSpotlight }]);
  const pages = entries.filter((entry) => entry.words.toLowerCase().includes(words.toLowerCase()));
  const groups = words.length < LEAST_LETTERS ? [] : (found.data?.groups ?? []);
  return (
    <Spotlight.Root query={text} onQueryChange={setText} shortcut={null} clearQueryOnClose>
      <Spotlight.Search placeholder="Pages, and groups by words of their events" leftSection={<Icon name="search" />} />
      <Spotlight.ActionsList>
        {pages.length === 0 ? null : (
          <Spotlight.ActionsGroup label="Pages">
            {pages.map(({ to, words: label, icon }) => (
              <Spotlight.Action
                key={to}
                label={label}
                leftSection={<Icon name={icon} />}
                onClick={() => void navigate({ to })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {groups.length === 0 ? null : (
          <Spotlight.ActionsGroup label="Groups">
            {groups.map((group) => (
              <Spotlight.Action
                key={group.correlationId}
                label={group.title ?? 'A group without a cause'}
                description={sentence(group)}
                leftSection={group.severity === null ? null : <SeverityMark severity={group.severity} bare />}
                onClick={() => void navigate({ to: `/groups/${group.correlationId}` })}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {pages.length + groups.length === 0 ? <Spotlight.Empty>Nothing found</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
