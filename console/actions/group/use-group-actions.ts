import { useState } from 'react';
import type { Assignee } from '#console/api/assignees.ts';
import { noteGroup } from '#console/api/group-changes.ts';
import type { GroupRow } from '#console/api/groups.ts';
import type { Wish } from '#console/api/status.ts';
import { say } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMay, useMe } from '#console/hooks/use-me.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { count } from '#console/words/counts.ts';
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
interface Open {
  readonly kind: Kind;
  readonly groups: readonly GroupRow[];
}

/** `3 groups`, `“Switch link down”`. */
export const groupsNamed = (groups: readonly GroupRow[]): string =>
  groups.length === 1 ? `“${groups[0]?.title ?? groups[0]?.correlationId}”` : count(groups.length, 'group');

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

  const move = (groups: readonly GroupRow[], wish: Wish): void => {
    if (groups.length === 0) return;
    begun();
    void setStatus(
      groups.map(({ correlationId }) => correlationId),
      wish,
    );
  };
  const assign = (groups: readonly GroupRow[], to: Assignee): void => {
    begun();
    void assignGroups(groups, to);
  };
  const ask = (kind: Kind, groups: readonly GroupRow[] = meant): void => {
    if (groups.length > 0) setOpen({ kind, groups });
  };
  const actions = {
    acknowledge: (groups = meant) => move(groups, { status: 'acknowledged' }),
    suppress: (groups = meant) => move(groups, { status: 'suppressed' }),
    take: (groups = meant) => assign(groups, { user: me.user }),
    ask,
  };

  const of = meant.length === 0 ? undefined : groupsNamed(meant);
  const [writes, correlates] = [mayWrite && meant.length > 0, mayCorrelate && meant.length > 0];
  const key = (keys: string, words: string, isActive: boolean, run: () => void) => ({
    ...{ keys, words, of, isActive, run, section: 'Actions' as const },
  });
  useShortcuts([
    key('a', 'Acknowledge', writes, () => actions.acknowledge()),
    key('r', 'Resolve', writes, () => ask('resolve')),
    key('s', 'Suppress', writes, () => actions.suppress()),
    key('i', 'I take it', writes, () => actions.take()),
    key('Shift+i', 'Assign to somebody', writes, () => ask('assign')),
    key('m', 'Merge', correlates, () => ask('merge')),
    key('n', 'Write a note', writes && meant.length === 1, () => ask('note')),
  ]);

  return {
    ...actions,
    mayWrite,
    mayCorrelate,
    open,
    close: () => setOpen(null),
    move,
    assign,
    merge(groups: readonly GroupRow[], reason: string): void {
      begun();
      void mergeAll(groups, reason);
    },
    async note(groups: readonly GroupRow[], text: string): Promise<void> {
      for (const { correlationId } of groups) await noteGroup(call, correlationId, text);
      say({ text: 'The note is kept' });
    },
  };
};

export type GroupActions = ReturnType<typeof useGroupActions>;
