import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '#console/facts/icon.tsx';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import type { Shortcut } from '#console/keys/registry.ts';
import { plain } from '#console/words/counts.ts';
import { sentence } from '#console/words/group-words.ts';
import { useFound } from './use-found.ts';

/** A page that it jumps to. */
export interface PaletteEntry {
  readonly to: string;
  readonly words: string;
  readonly icon: IconName;
}

export interface PaletteFound {
  readonly key: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly mark?: ReactNode;
  /** A thing of the tenant; `old`: found for other words than those that are typed. */
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
const foundPages = (entries: readonly PaletteEntry[], words: string, navigate: Jump): PaletteFound[] =>
  entries
    .filter((entry) => has(entry.words, words))
    .map(({ to, words: label, icon }) => ({ key: to, label, mark: <Icon name={icon} />, run: () => navigate({ to }) }));

type Records = ReturnType<typeof useFound>;
const foundGroups = ({ groups }: Records, navigate: Jump): PaletteFound[] =>
  groups.rows.map((group) => ({
    key: group.correlationId,
    label: group.title ?? 'A group without a cause',
    description: sentence(group),
    mark: group.severity === null ? null : <SeverityMark severity={group.severity} bare />,
    run: () => navigate({ to: `/groups/${group.correlationId}` }),
  }));
const foundEvents = ({ events }: Records, navigate: Jump): PaletteFound[] =>
  events.rows.map(({ eventId, title, severity, status, ciId, hostname }) => ({
    key: eventId,
    label: title,
    description: `${ciId?.name ?? hostname ?? 'no host'}, ${status}`,
    mark: <SeverityMark severity={severity} bare />,
    run: () => navigate({ to: '/events', search: { event: eventId } as never }),
  }));
const foundCis = ({ cis }: Records, navigate: Jump): PaletteFound[] =>
  cis.rows.map(({ _id, name, type }) => ({
    key: _id,
    label: name,
    description: plain(type),
    mark: <Icon name="cis" />,
    run: () => navigate({ to: `/cis/${_id}` }),
  }));

interface Asked {
  readonly words: string;
  /** The words once nobody types: what the server is asked for. */
  readonly searched: string;
  readonly entries: readonly PaletteEntry[];
  readonly actions: readonly Shortcut[];
  readonly choose: (action: Shortcut) => void;
}

/** All that has the words, kind by kind. */
export const usePaletteParts = ({ words, searched, entries, actions, choose }: Asked) => {
  const navigate = useNavigate();
  const records = useFound(searched);
  const marked = (found: readonly PaletteFound[], { isOld }: { readonly isOld: boolean }): PaletteFound[] =>
    found.map((one) => ({ ...one, record: isOld || searched !== words ? 'old' : 'new' }));
  return [
    ['Actions', foundActions(actions, words, choose)],
    ['Pages', foundPages(entries, words, navigate)],
    ['Groups', marked(foundGroups(records, navigate), records.groups)],
    ['Events', marked(foundEvents(records, navigate), records.events)],
    ['CIs', marked(foundCis(records, navigate), records.cis)],
  ] as const;
};
