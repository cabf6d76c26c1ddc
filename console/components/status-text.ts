import type { Status } from '#domain/event/event.ts';

export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  open: 'Open',
  acknowledged: 'Acknowledged',
  resolved: 'Resolved',
  suppressed: 'Suppressed',
};
