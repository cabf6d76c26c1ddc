import { tellEvents, tellGroupChanges } from '#application/webhooks/sources/happenings.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { Sink } from '#domain/ports/sink.ts';
import { correlationChanges, eventsSaved } from '#schemas/topics/topics.ts';
import { toldGroup } from './told-group.ts';

/** Tells webhooks of events. */
export const notify: Sink = {
  kind: 'sink',
  name: 'notify',
  input: eventsSaved,
  told(value) {
    const saved = value as Saved;
    if (saved.happened === 'forgotten') return null;
    const { id } = saved.event;
    if (saved.happened === 'created') return { happened: 'created', id };
    const { previousStatus } = saved;
    return previousStatus === undefined ? null : { happened: 'status', id, previousStatus };
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
