import { type Event, isSevere } from '#domain/event/event.ts';

/** Above this many waiting records not everything is analysed at once. */
const STORM_LAG = 50_000;

export const isStorm = (lag: number): boolean => lag > STORM_LAG;

/** Severe events that are not usual, and the first of each group and signature; the others can wait. */
export function firstOfStorm(events: readonly Event[]): { now: Event[]; later: Event[] } {
  const seen = new Set<string>();
  const [now, later]: [Event[], Event[]] = [[], []];
  for (const event of events) {
    const { severity, usual, correlationId, signature } = event;
    const place = `${correlationId ?? ''} ${signature}`;
    const tells = (isSevere(severity) && !usual) || !seen.has(place);
    seen.add(place);
    (tells ? now : later).push(event);
  }
  return { now, later };
}
