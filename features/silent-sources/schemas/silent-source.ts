import { z } from 'zod';
import { IsoTime, iso } from '#schemas/http/time.ts';

export const SilentSourceBody = z
  .object({
    name: z.string(),
    title: z.string(),
    lastEventAt: IsoTime,
    since: IsoTime.meta({ description: 'Start of the event' }),
    eventId: z.string().meta({ description: 'Open event about the silence' }),
  })
  .meta({ id: 'SilentSource' });

export interface SilentSource {
  readonly name: string;
  readonly title: string;
  /** Its last message, ms. */
  readonly last: number;
  /** Creation of the event, ms. */
  readonly since: number;
  readonly eventId: string;
}

export const silentSourceBody = ({ last, since, ...source }: SilentSource): z.output<typeof SilentSourceBody> => ({
  ...source,
  lastEventAt: iso(last),
  since: iso(since),
});
