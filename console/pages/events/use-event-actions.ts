import { useState } from 'react';
import { useAssignEvents } from '#console/actions/assign/use-assign-events.ts';
import { useEventStatus } from '#console/actions/use-event-status.ts';
import type { Assignee } from '#console/api/assignees.ts';
import { type EventRow, noteEvent } from '#console/api/events.ts';
import type { StatusChangeRequest, Which } from '#console/api/status.ts';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay, useMe } from '#console/hooks/use-me.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { type RowAction, useSlot } from '#console/slots/feature.ts';
import { count } from '#console/text/counts.ts';
import { eventName } from '#console/text/event-text.ts';
import * as texts from './texts.ts';

interface EventActionsOptions {
  /** The target of an action: all that match, the selection, or the row in focus. */
  readonly meant: Which | null;
  /** Loaded rows of the selection. */
  readonly rows: readonly EventRow[];
  readonly begun: () => void;
}

export type Open =
  | { readonly kind: 'resolve' | 'suppress'; readonly which: Which }
  | { readonly kind: 'assign' | 'move' | 'note' | 'explain' | RowAction<EventRow>; readonly rows: readonly EventRow[] };

/** Events that are assigned one by one. */
const MAX_ASSIGNED = 200;

export const numberOf = (which: Which): string =>
  count('filter' in which ? which.expect : 'ids' in which ? which.ids.length : 0, 'event');

const VERBS = { open: 'reopen', acknowledged: 'acknowledge', resolved: 'resolve', suppressed: 'suppress' } as const;

const keyOf = (of: string | undefined) => (keys: string, words: string, isActive: boolean, run: () => unknown) => ({
  keys,
  words,
  of,
  isActive,
  section: 'Actions' as const,
  run: () => void run(),
});

/** All user actions on events: by keys, buttons and the palette. */
export const useEventActions = ({ meant, rows, begun }: EventActionsOptions) => {
  const { call } = useAppServices();
  const me = useMe();
  const mayWrite = useMay('events.write');
  const mayCorrelate = useMay('events.correlate');
  const setStatus = useEventStatus();
  const assignEvents = useAssignEvents();
  const more = useSlot('eventActions');
  const [open, setOpen] = useState<Open | null>(null);
  const isAssignable = meant !== null && !('filter' in meant) && rows.length <= MAX_ASSIGNED;

  const move = (which: Which | null, wish: StatusChangeRequest): void => {
    if (which === null) return;
    begun();
    const verb = VERBS[wish.status];
    void setStatus(which, wish).catch((error: unknown) => showError(texts.couldnt(verb, numberOf(which)), error));
  };
  const assign = (events: readonly EventRow[], to: Assignee): void => {
    begun();
    void assignEvents(events, to);
  };
  const actions = {
    move,
    assign,
    end: (kind: 'resolve' | 'suppress', which = meant) => which !== null && setOpen({ kind, which }),
    ask: (kind: 'assign' | 'move' | 'note' | 'explain' | RowAction<EventRow>, events = rows) =>
      events.length > 0 && setOpen({ kind, rows: events }),
  };

  const [only] = rows;
  const of = meant === null ? undefined : rows.length === 1 && only ? `“${eventName(only)}”` : numberOf(meant);
  const writes = mayWrite && meant !== null;
  const key = keyOf(of);
  useShortcuts([
    key('a', 'Acknowledge', writes, () => move(meant, { status: 'acknowledged' })),
    key('r', 'Resolve', writes, () => actions.end('resolve')),
    key('Shift+s', 'Suppress', writes, () => actions.end('suppress')),
    key('Shift+r', 'Reopen', writes, () => move(meant, { status: 'open' })),
    ...more.map((action) => key(action.keys, action.words, writes && rows.length === 1, () => actions.ask(action))),
    key('i', 'Assign to me', writes && isAssignable, () => assign(rows, { user: me.user })),
    key('Shift+i', 'Assign', writes && isAssignable, () => actions.ask('assign')),
    key('m', texts.moveToGroup, mayCorrelate && meant !== null && isAssignable, () => actions.ask('move')),
    key('e', texts.explainTwoSelectedEvents, rows.length === 2, () => actions.ask('explain')),
    key('n', texts.addNote, writes && rows.length === 1, () => actions.ask('note')),
  ]);

  return {
    ...actions,
    mayWrite,
    mayCorrelate,
    isAssignable,
    more,
    open,
    close: () => setOpen(null),
    begun,
    /** These throw when the server has not done it. */
    async setAs(which: Which, wish: StatusChangeRequest): Promise<void> {
      await setStatus(which, wish);
      begun();
    },
    async note(events: readonly EventRow[], text: string): Promise<void> {
      for (const { eventId } of events) await noteEvent(call, eventId, text);
      showToast({ text: texts.noteAdded });
    },
  };
};

export type EventActions = ReturnType<typeof useEventActions>;
