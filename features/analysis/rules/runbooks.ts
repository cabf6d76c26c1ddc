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

type Named = Pick<Event, 'title' | 'ci' | 'service'>;

const fits = ({ ciType, service, complaint, title }: RunbookRule, event: Named): boolean =>
  (ciType === undefined || ciType === event.ci?.type) &&
  (service === undefined || service.toLowerCase() === event.service?.toLowerCase()) &&
  (complaint === undefined || complaint === complaintKindOf(event).name) &&
  (title === undefined || ` ${plainWords(event.title)} `.includes(` ${plainWords(title)} `));

/** The first runbook of the tenant that fits the type of the CI, the service and the problem, with its text. */
export const runbookFor = (event: Named, rules: readonly RunbookRule[]): string | null => {
  const found = rules.find((rule) => fits(rule, event));
  return found === undefined ? null : [found.url, found.text ?? []].flat().join(' ');
};
