import { toldGroup } from '#application/operations/told-group.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { Sink } from '#domain/ports/sink.ts';
import { isTrouble, isUnheardOf } from '#features/webhooks/rules/heard.ts';
import { correlationChanges, eventsSaved } from '#schemas/topics/topics.ts';
import { tellEvents, tellGroupChanges } from './happenings.ts';

/** Tells webhooks of events. */
export const notify: Sink = {
  kind: 'sink',
  name: 'notify',
  input: eventsSaved,
  told(value) {
    const saved = value as Saved;
    if (saved.happened === 'forgotten') return null;
    const { event, previousStatus } = saved;
    const { id, status } = event;
    if (saved.happened === 'created') return status === 'suppressed' ? null : { happened: 'created', id };
    if (previousStatus === undefined) return null;
    if (!isUnheardOf(event)) return { happened: 'status', id, previousStatus };
    return isTrouble(status) ? { happened: 'created', id, wasSuppressed: true } : null;
  },
  delayMs: 0,
  open: (ports) => ({ take: (batch) => tellEvents(ports, batch) }),
};

/** Tells webhooks of groups. */
export const notifyGroups: Sink = {
  kind: 'sink',
  name: 'notify.groups',
  input: correlationChanges,
  told: toldGroup,
  delayMs: 0,
  open: (ports) => ({ take: (batch) => tellGroupChanges(ports, batch) }),
};
