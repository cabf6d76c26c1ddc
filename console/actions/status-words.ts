import type { ResolutionCategory, Status } from '#domain/event/event.ts';

export const DONE_WORDS: Readonly<Record<Status, string>> = {
  open: 'reopened',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  suppressed: 'suppressed',
};

export const CATEGORY_WORDS: Readonly<Record<ResolutionCategory, string>> = {
  'manual-fix': 'Fixed manually',
  'auto-resolved': 'Resolved automatically',
  'false-positive': 'False positive',
  duplicate: 'Duplicate',
  'no-action-needed': 'No action needed',
};
