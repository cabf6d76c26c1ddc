import { z } from 'zod';
import { eventIdOf } from '#domain/event/event.ts';
import { LIVE_TOPICS, type LiveKind, type LiveTopic } from '#domain/live/live-change.ts';
import type { PendingOfKind } from '#domain/live/pending.ts';

const NAMES = Object.keys(LIVE_TOPICS) as [LiveTopic, ...LiveTopic[]];
const isTopic = (name: string): name is LiveTopic => (NAMES as readonly string[]).includes(name);

/** Topics separated by commas. */
export const ChangesQuery = z.strictObject({
  topics: z
    .string()
    .max(200)
    .transform((text) => [...new Set(text.split(','))])
    .refine((names): names is LiveTopic[] => names.every(isTopic), {
      error: `expected a comma-separated list of ${NAMES.join(', ')}`,
    })
    .optional()
    .meta({
      description: `Comma-separated list of ${NAMES.join(', ')}; default: all readable topics`,
      example: 'groups,events',
    }),
});

type Changes = ReadonlyMap<LiveKind, PendingOfKind>;

const named = ({ ids, more }: PendingOfKind) => ({ ids, more });
const countOf = ({ created, changed }: PendingOfKind): number => created + changed;

/** Data of an event `changes`: what did not change is missing. */
export const changesView = (changes: Changes, at: string) => {
  const of = <T>(kind: LiveKind, view: (found: PendingOfKind) => T): T | undefined => {
    const found = changes.get(kind);
    return found === undefined ? undefined : view(found);
  };
  const [cis, relationships] = [of('ci', named), of('relationship', named)];
  return {
    groups: of('group', named),
    events: of('event', ({ created, changed, ids, more }) => ({ created, changed, ids: ids.map(eventIdOf), more })),
    silences: of('silence', named),
    topology: cis === undefined && relationships === undefined ? undefined : { cis, relationships },
    scans: of('scan', named),
    pipeline: of('letter', (letters) => ({ deadLetters: countOf(letters) })),
    at,
  };
};
