import type { Status } from '#domain/event/event.ts';

export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  open: 'open',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  suppressed: 'suppressed',
};
