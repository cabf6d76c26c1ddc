import { useState } from 'react';
import type { Assignee } from '#console/api/assignees.ts';
import { noteEvent } from '#console/api/events.ts';
import { type GroupAct, noteGroup, type OperationWish } from '#console/api/group-changes.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMay, useMe } from '#console/hooks/use-me.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { type RowAction, useSlot } from '#console/slots/feature.ts';
import { count } from '#console/words/counts.ts';
import { isLone } from '#console/words/group-words.ts';
import { useAssignGroups } from '../assign/use-assign-groups.ts';
import { useMergeGroups } from '../merge/use-merge-groups.ts';
import { useGroupStatus } from './use-group-status.ts';

interface Given {
  /** The target of a key: the selection, else the focus. */
  readonly meant: readonly GroupRow[];
  /** Called before something changes. */
  readonly begun?: () => void;
}

type Kind = 'resolve' | 'assign' | 'merge' | 'note';
type StatusVerb = Exclude<GroupAct, 'assign'>;
interface Open {
  readonly kind: Kind | RowAction<GroupRow>;
  readonly groups: readonly GroupRow[];
}

/** `3 groups`, `“Switch link down”`. */
export const groupsNamed = (groups: readonly GroupRow[]): string =>
  groups.length === 1 ? `“${groups[0]?.title ?? groups[0]?.correlationId}”` : count(groups.length, 'group');

const keyOf = (of: string | undefined) => (keys: string, words: string, isActive: boolean, run: () => void) => ({
  keys,
  words,
  of,
  isActive,
  run,
  section: 'Actions' as const,
});

/** All that people do with groups, in a list or on the page of one: by keys, buttons and the palette. */
export const useGroupActions = ({ meant, begun = () => undefined }: Given) => {
  const { call } = useParts();
  const me = useMe();
  const mayWrite = useMay('events.write');
  const mayCorrelate = useMay('events.correlate');
  const setStatus = useGroupStatus();
  const assignGroups = useAssignGroups();
  const mergeAll = useMergeGroups();
  const [open, setOpen] = useState<Open | null>(null);

  const failed = (what: string) => (error: unknown) => sayFailure(`Couldn't ${what}`, error);
  const move = (groups: readonly GroupRow[], verb: StatusVerb): void => {
    if (groups.length === 0) return;
    begun();
    void setStatus(groups, verb).catch(failed(`${verb} ${groupsNamed(groups)}`));
  };
  const assign = (groups: readonly GroupRow[], to: Assignee): void => {
    begun();
    void assignGroups(groups, to).catch(failed(`assign ${groupsNamed(groups)}`));
  };
  const more = useSlot('groupActions');
  const ask = (kind: Open['kind'], groups: readonly GroupRow[] = meant): void => {
    if (groups.length > 0) setOpen({ kind, groups });
  };
  const actions = {
    acknowledge: (groups = meant) => move(groups, 'acknowledge'),
    unacknowledge: (groups = meant) => move(groups, 'unacknowledge'),
    reopen: (groups = meant) => move(groups, 'reopen'),
    take: (groups = meant) => assign(groups, { user: me.user }),
    ask,
  };

  const of = meant.length === 0 ? undefined : groupsNamed(meant);
  const [writes, correlates] = [mayWrite && meant.length > 0, mayCorrelate && meant.length > 0];
  const key = keyOf(of);
  useShortcuts([
    key('a', 'Acknowledge', writes, () => actions.acknowledge()),
    key('Shift+a', 'Unacknowledge', writes, () => actions.unacknowledge()),
    key('r', 'Resolve', writes, () => ask('resolve')),
    key('Shift+r', 'Reopen', writes, () => actions.reopen()),
    ...more.map((action) => key(action.keys, action.words, writes && meant.length === 1, () => ask(action))),
    key('i', 'Assign to me', writes, () => actions.take()),
    key('Shift+i', 'Assign', writes, () => ask('assign')),
    key('m', 'Merge', correlates, () => ask('merge')),
    key('n', 'Write a note', writes && meant.length === 1, () => ask('note')),
  ]);

  return {
    ...actions,
    mayWrite,
    mayCorrelate,
    more,
    open,
    close: () => setOpen(null),
    assign,
    /** These throw when the server has not done it. */
    async resolve(groups: readonly GroupRow[], resolution: OperationWish): Promise<void> {
      await setStatus(groups, 'resolve', resolution);
      begun();
    },
    async merge(groups: readonly GroupRow[], reason: string): Promise<void> {
      await mergeAll(groups, reason);
      begun();
    },
    async note(groups: readonly GroupRow[], text: string): Promise<void> {
      for (const group of groups) await (isLone(group) ? noteEvent : noteGroup)(call, group.correlationId, text);
      say({ text: 'Note added' });
    },
  };
};

export type GroupActions = ReturnType<typeof useGroupActions>;
