import type { EventDraft } from '#domain/event/draft.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import { prepare } from '#domain/event/lifecycle/prepare.ts';
import { randomIds } from '#test/setup/random-ids.ts';

const SETTINGS = { dedupScope: 'system', dedupWindowMs: 24 * 3_600_000 } as const;

/** One arrival as the API makes it of a draft, unbound. */
export const occurred = (said: Partial<EventDraft> & { readonly receivedAt: number }): Incoming => {
  const { receivedAt, ...draft } = said;
  const whole: EventDraft = {
    source: 'test',
    sourceId: '1',
    severity: 'critical',
    title: 'Something is down',
    hostname: 'h-1',
    ...draft,
  };
  const binding = { ci: null, ambiguous: false };
  const preparation = { binding, settings: SETTINGS, newId: randomIds.ulid(), conditionId: null, receivedAt };
  return { ask: { kind: 'occurred', occurrence: prepare(whole, preparation) }, receivedAt };
};
