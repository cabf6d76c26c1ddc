import { besideSaid } from '#domain/event/business-impact.ts';
import type { AiAnalysis, BusinessImpact, CiRef, Event } from '#domain/event/event.ts';
import { sign } from '#domain/event/identity/signature.ts';
import { type Change, type Stamp, touched } from './change.ts';
import { AMBIGUOUS_CI } from './prepare.ts';

/** The group of an event is written once, unless it `moves`: else a second assignment changes nothing (architecture §3). */
export const assign = (event: Event, correlationId: string | null, stamp: Stamp, moves = false): Change =>
  (event.correlationId === null || moves) && event.correlationId !== correlationId
    ? { event: { ...event, correlationId, position: touched(event, stamp).position }, outcome: 'changed' }
    : { event, outcome: 'ignored' };

/** The signature as it would have been with this CI; identity does not name the CI type, so it stays. */
const signatureOn = (ci: CiRef, { ci: _before, ...event }: Event): string =>
  sign({ ...event, ciType: ci.type }, 'system')?.signature ?? event.signature;

/** The CI of an event is found later, or another than before. */
export const bind = (event: Event, ci: CiRef, stamp: Stamp, found?: BusinessImpact): Change => {
  if (event.ci?.id === ci.id) return { event, outcome: 'ignored' };
  const tags = event.tags.filter((tag) => tag !== AMBIGUOUS_CI);
  // The impact of an event without a CI comes from its sender.
  const impact = event.ci === null ? besideSaid(event.businessImpact, found) : (found ?? event.businessImpact);
  return {
    event: {
      ...event,
      ...{ ci, tags, signature: signatureOn(ci, event), ...touched(event, stamp) },
      ...(impact && { businessImpact: impact }),
    },
    outcome: 'changed',
  };
};

/** The newest analysis replaces the one before; nothing was heard of the event. */
export const analyse = (event: Event, aiAnalysis: AiAnalysis, stamp: Stamp): Change => ({
  event: { ...event, aiAnalysis, position: touched(event, stamp).position },
  outcome: 'changed',
});
