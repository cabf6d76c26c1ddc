import type { ResolutionCategory, Status } from '#domain/event/event.ts';

export const DONE_WORDS: Readonly<Record<Status, string>> = {
  open: 'opened',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  suppressed: 'suppressed',
};

export const CATEGORY_WORDS: Readonly<Record<ResolutionCategory, string>> = {
  'manual-fix': 'Repaired by hand',
  'auto-resolved': 'Went away by itself',
  'false-positive': 'False alarm',
  duplicate: 'Known already',
  'no-action-needed': 'Nothing to do',
};
