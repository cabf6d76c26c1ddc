import type { RunbookRule } from '#domain/ai/settings.ts';
import { complaintKindOf } from '#domain/event/complaints/kind.ts';
import type { Event } from '#domain/event/event.ts';
import { plainWords } from '#domain/plain-words.ts';
import type { Ci } from '#domain/topology/topology.ts';

const MAX_TEXT = 500;

/** The runbook that a CI names itself, in `custom_fields.runbook`: an address or a few words. */
export const ownRunbookOf = ({ customFields }: Pick<Ci, 'customFields'>): string | null => {
  const { runbook } = customFields;
  return typeof runbook === 'string' && runbook.trim() !== '' ? runbook.trim().slice(0, MAX_TEXT) : null;
};

type Named = Pick<Event, 'title' | 'ci'>;

const fits = ({ ciType, complaint, title }: RunbookRule, event: Named): boolean =>
  (ciType === undefined || ciType === event.ci?.type) &&
  (complaint === undefined || complaint === complaintKindOf(event).name) &&
  (title === undefined || ` ${plainWords(event.title)} `.includes(` ${plainWords(title)} `));

/** The first runbook of the tenant that fits the type of the CI and the problem. */
export const runbookFor = (event: Named, rules: readonly RunbookRule[]): string | null =>
  rules.find((rule) => fits(rule, event))?.url ?? null;
