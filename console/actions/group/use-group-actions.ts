import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Assignee } from '#console/api/assignees.ts';
import { noteEvent } from '#console/api/events.ts';
import { type GroupAct, mergeGroups, noteGroup, type OperationInput, splitGroup } from '#console/api/group-changes.ts';
import { readMembers } from '#console/api/group-parts.ts';
import type { GroupRow } from '#console/api/groups.ts';
import type { Call } from '#console/api/link/call.ts';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay, useMe } from '#console/hooks/use-me.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { type RowAction, useSlot } from '#console/slots/feature.ts';
import { assignedWords } from '#console/text/assign-text.ts';
import { count } from '#console/text/counts.ts';
import { eventOf, groupTitle, isLone } from '#console/text/group-text.ts';
import * as shared from '#console/text/texts.ts';
import { GROUPS } from '../groups-cache.ts';
import { useOperateGroups } from '../use-operate-groups.ts';
import * as texts from './texts.ts';
import { useGroupStatus } from './use-group-status.ts';

/** Larger groups are not split again by a click. */
const MAX_MEMBERS = 500;
const BACK = texts.mergeUndone;

const membersOf = async (call: Call, { kind, correlationId }: GroupRow): Promise<string[] | null> => {
  if (kind === 'event') return [correlationId];
  const { members, pagination } = await readMembers(call, correlationId, { limit: MAX_MEMBERS });
  return pagination.total > members.length ? null : members.map(({ eventId }) => eventId);
};

const mergedWords = ([, second, third]: readonly GroupRow[], all: number): string =>
  second !== undefined && third === undefined
    ? texts.mergedWith(groupTitle(second))
    : texts.merged(count(all, 'group'));

/** Makes one group of several; undone, the members of each leave it again. Throws when the server has not done it. */
const useMergeGroups = () => {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const readAnew = () => queries.invalidateQueries({ queryKey: GROUPS });

  const undo = async (whole: string, left: readonly (readonly string[])[]): Promise<void> => {
    try {
      for (const eventIds of left) await splitGroup(call, whole, eventIds, BACK);
      showToast({ text: shared.undone });
    } catch (error) {
      showError(shared.couldntUndo, error);
    }
    await readAnew();
  };

  return async (groups: readonly GroupRow[], reason: string): Promise<void> => {
    const known = groups.flatMap((group) => eventOf(group) ?? []);
    const [own, ...others] = known;
    if (own === undefined || known.length < groups.length)
      throw new Error("Can't merge: one of the groups has no events left");
    const left = await Promise.all(groups.slice(1).map((group) => membersOf(call, group)));
    const whole = await mergeGroups(call, own, others, reason);
    const canUndo = left.every((ids) => ids !== null);
    showToast({ text: mergedWords(groups, groups.length), ...(canUndo && { undo: () => undo(whole, left) }) });
    await readAnew();
  };
};

type Care = Pick<GroupRow, 'assignedTo' | 'assignedTeam'>;

/** An assigned team is shown alone; a user may be shown beside their team. */
const assignmentOf = (to: Assignee): Partial<Care> => {
  if (to === null) return { assignedTo: null, assignedTeam: null };
  return 'user' in to ? { assignedTo: to.user } : { assignedTo: null, assignedTeam: to.team };
};

/** Assigns groups. Throws when the server fails. */
const useAssignGroups = () => {
  const operate = useOperateGroups();
  return (groups: readonly GroupRow[], to: Assignee): Promise<void> => {
    const care = assignmentOf(to);
    const { assignedTo, assignedTeam } = care;
    return operate({
      verb: 'assign',
      groups,
      wish: {
        ...(assignedTo !== undefined && { user_id: assignedTo?._id ?? null }),
        ...(assignedTeam !== undefined && { team_id: assignedTeam?._id ?? null }),
      },
      optimisticUpdate: (group) => ({ ...group, ...care }),
      done: () => assignedWords(to, groups.length === 1 ? null : count(groups.length, 'group')),
    });
  };
};

interface GroupActionsOptions {
  /** The target of a key: the selection, else the focus. */
  readonly meant: readonly GroupRow[];
  /** Called before something changes. */
  readonly begun?: () => void;
}

type GroupDialogKind = 'resolve' | 'assign' | 'merge' | 'note';
type StatusVerb = Exclude<GroupAct, 'assign'>;
interface Open {
  readonly kind: GroupDialogKind | RowAction<GroupRow>;
  readonly groups: readonly GroupRow[];
}

/** `3 groups`, `“Switch link down”`. */
export const groupsNamed = (groups: readonly GroupRow[]): string =>
  groups[0] !== undefined && groups.length === 1 ? `“${groupTitle(groups[0])}”` : count(groups.length, 'group');

const keyOf = (of: string | undefined) => (keys: string, words: string, isActive: boolean, run: () => void) => ({
  keys,
  words,
  of,
  isActive,
  run,
  section: 'Actions' as const,
});

/** All user actions on groups, in a list or on the page of one: by keys, buttons and the palette. */
export const useGroupActions = ({ meant, begun = () => undefined }: GroupActionsOptions) => {
  const { call } = useAppServices();
  const me = useMe();
  const mayWrite = useMay('events.write');
  const mayCorrelate = useMay('events.correlate');
  const setStatus = useGroupStatus();
  const assignGroups = useAssignGroups();
  const mergeAll = useMergeGroups();
  const [open, setOpen] = useState<Open | null>(null);

  const failed = (what: string) => (error: unknown) => showError(texts.couldnt(what), error);
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
    key('n', texts.addNote, writes && meant.length === 1, () => ask('note')),
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
    async resolve(groups: readonly GroupRow[], resolution: OperationInput): Promise<void> {
      await setStatus(groups, 'resolve', resolution);
      begun();
    },
    async merge(groups: readonly GroupRow[], reason: string): Promise<void> {
      await mergeAll(groups, reason);
      begun();
    },
    async note(groups: readonly GroupRow[], text: string): Promise<void> {
      for (const group of groups) await (isLone(group) ? noteEvent : noteGroup)(call, group.correlationId, text);
      showToast({ text: texts.noteAdded });
    },
  };
};

export type GroupActions = ReturnType<typeof useGroupActions>;
