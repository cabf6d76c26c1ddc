import type { Claim } from '#domain/ai/evidence.ts';
import type { PackBuilder } from '#domain/ai/pack.ts';
import { LEARNING } from '#domain/correlation/window/learning.ts';
import type { Case } from './case.ts';
import { citeEvent, citeGroup } from './cite.ts';

const TIME_ALONE =
  'By time alone: no relationship, complaint or service joins this event with another one of its group.';

/** Reasons against the group of the event, if it is in one. */
export function warningsOf({ event, group }: Case, pack: PackBuilder): Claim[] {
  if (group === null) return [];
  const texts = [...(group.byTimeAlone ? [TIME_ALONE] : []), ...(group.isLearning ? [LEARNING] : [])];
  return texts.map((text) => ({
    ...{ text, refs: [...citeGroup(pack, group), ...citeEvent(pack, event)] },
    certainty: 'fact',
  }));
}
