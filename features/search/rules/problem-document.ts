import { firstItem } from '#domain/assert.ts';
import type { Event } from '#domain/event/event.ts';
import { hasWords, titlePattern, withoutHost } from '#domain/event/identity/signature.ts';
import { canonicalHost } from '#domain/event/identity/system.ts';
import { hash128 } from '#domain/hash.ts';
import type { SearchDocument } from '#domain/search/document.ts';

/** The newest events of its pattern in a document; so an event costs the same whether it is the first or the millionth. */
const MAX_EVENTS = 10;
const MAX_TITLES = 10;
const MAX_PLACES = 60;
const MAX_NOTES = 3;
const MAX_DESCRIPTION = 500;
const MAX_NOTE = 300;
const MAX_TITLE = 300;

/** Small JSON beside the text, from which the next text is made. */
interface ProblemFacts {
  /** Storage ids of the newest events, newest first. */
  readonly events: readonly string[];
  readonly titles: readonly string[];
  /** Hosts, CIs, services and senders. */
  readonly places: readonly string[];
  readonly notes: readonly string[];
  readonly description: string;
  readonly severity: string;
}
const NOTHING: ProblemFacts = { events: [], titles: [], places: [], notes: [], description: '', severity: '' };

/** The id of a complaint, whatever its host and severity. */
export const problemIdOf = ({ title, hostname = '' }: Pick<Event, 'title' | 'hostname'>): string => {
  const lower = title.toLowerCase();
  const pattern = titlePattern(withoutHost(lower, canonicalHost(hostname)));
  return hash128(hasWords(pattern) ? pattern : lower);
};

/** Joins texts: earlier ones stay in order; those of newer events are first, those of older ones last. */
const joined = (
  before: readonly string[],
  now: readonly (string | undefined)[],
  { most, isNewer }: { readonly most: number; readonly isNewer: boolean },
): string[] => {
  const said = now.map((text) => text?.trim()).filter((text) => text !== undefined && text !== '') as string[];
  const fresh = [...new Set(said)].filter((text) => !before.includes(text));
  return (isNewer ? [...fresh, ...before] : [...before, ...fresh]).slice(0, most);
};

const titleOf = ({ title }: Event): string => title.slice(0, MAX_TITLE);

const BY_RULE = /^(?:expired|superseded|no updates for )/;

/** Notes of persons and of monitors; the note of a rule about an event that ended by itself helps no reader. */
const noteOf = ({ resolvedBy, resolutionNotes }: Event): string | undefined =>
  resolvedBy === undefined && BY_RULE.test(resolutionNotes ?? '') ? undefined : resolutionNotes?.slice(0, MAX_NOTE);

const placesOf = ({ hostname, ci, service, application, source }: Event) => [
  hostname,
  ci?.name,
  service,
  application,
  source,
];

const factsWith = (before: ProblemFacts, events: readonly Event[]): ProblemFacts => {
  const latest = firstItem(events);
  const isNewer = latest.id >= (before.events[0] ?? '');
  return {
    events: [...new Set([...before.events, ...events.map(({ id }) => id)])].sort().reverse().slice(0, MAX_EVENTS),
    titles: joined(before.titles, events.map(titleOf), { most: MAX_TITLES, isNewer }),
    places: joined(before.places, events.flatMap(placesOf), { most: MAX_PLACES, isNewer }),
    notes: joined(before.notes, events.map(noteOf), { most: MAX_NOTES, isNewer: true }),
    description: isNewer ? (latest.description ?? '').slice(0, MAX_DESCRIPTION) : before.description,
    severity: isNewer ? latest.severity : before.severity,
  };
};

/** The document of a complaint with further events of it; once more with the same events it stays as it is. `id`: of the complaint. */
export function problemDocument(id: string, before: SearchDocument | null, all: readonly Event[]): SearchDocument {
  const events = all.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const known = (before?.facts ?? NOTHING) as ProblemFacts;
  const facts = factsWith(known, events);
  const title = before !== null && facts.events[0] === known.events[0] ? before.title : titleOf(firstItem(events));
  const others = facts.titles.filter((one) => one !== title);
  return {
    kind: 'complaint',
    id,
    title,
    text: [facts.description, ...facts.places, ...facts.notes, ...others].filter((line) => line !== '').join('\n'),
    at: Math.max(before?.at ?? 0, ...events.map(({ lastOccurrence }) => lastOccurrence)),
    facts: { ...facts },
  };
}

/** Storage ids of the newest events of a complaint, newest first. */
export const eventsOfProblem = ({ facts }: SearchDocument): readonly string[] =>
  (facts as ProblemFacts | undefined)?.events ?? [];
