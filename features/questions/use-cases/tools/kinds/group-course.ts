import { entriesOf } from '#application/groups/entries.ts';
import { timelineOf } from '#application/groups/timeline.ts';
import { correlationSettings } from '#application/records/tenant-settings.ts';
import { quietTimeMs } from '#domain/correlation/grouping/groups.ts';
import type { Candidate, Group } from '#domain/correlation/records.ts';
import { clueWords } from '#domain/correlation/root-cause/clue-words.ts';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import { enumeration } from '#features/ai/rules/findings.ts';
import type { Asking } from '#features/questions/use-cases/tools/tool.ts';
import { iso } from '#schemas/http/time.ts';

const MOMENTS = 20;
const NAMES = 8;
const CLUES = 3;

/** Returns why the candidate is the probable root cause, one reason per text. */
export const reasonsFor = (candidate: Candidate | null, members: readonly Event[]): readonly string[] => {
  if (candidate === null) return [];
  const names = new Map(members.flatMap(({ ci }) => (ci === null ? [] : [[ci.id, ci.name] as const])));
  const titles = new Map(members.map(({ id, title }) => [id, title]));
  const explained = candidate.explains.flatMap(({ ciId }) => names.get(ciId) ?? []);
  return [
    candidate.reasoning.replaceAll('_', ' '),
    ...(explained.length === 0 ? [] : [`explains events on ${enumeration(explained, NAMES)}`]),
    ...(candidate.evidence?.clues ?? [])
      .slice(0, CLUES)
      .map((clue) => `"${titles.get(clue.eventId) ?? eventIdOf(clue.eventId)}": ${clueWords(clue)}`),
  ];
};

export interface CourseRow {
  readonly at: string;
  readonly kind: string;
  readonly text: string;
}

/** A note of a user. */
export interface GroupNote {
  readonly by: string;
  readonly at: string;
  readonly text: string;
}

const WITH_WORDS = /^\w+ \d+ events?: (.+)$|: \w+ → \w+ \((.+)\)$/s;

/** Words of the user in an entry, also those given with an acknowledgement; null: none. */
export const wordsOf = (kind: string, text: string): string | null => {
  if (kind === 'note') return text;
  const [, ofGroup, ofEvent] = (kind === 'status' && text.match(WITH_WORDS)) || [];
  return ofGroup ?? ofEvent ?? null;
};

interface Said {
  readonly at: number;
  readonly kind: string;
  readonly by?: { readonly name: string } | undefined;
  readonly text: string;
}
const notesIn = (said: readonly Said[]): GroupNote[] =>
  said.flatMap(({ at, kind, by, text }) => {
    const words = by === undefined ? null : wordsOf(kind, text);
    return by === undefined || words === null ? [] : [{ by: by.name, at: iso(at), text: words }];
  });

export const notesOf = async ({ ports, tenant }: Asking, group: Group): Promise<readonly GroupNote[]> =>
  notesIn(await entriesOf(ports, tenant, group));

/** Returns notes, and the first entries of the timeline beside the arrivals of members. */
export const courseOf = async ({ ports, tenant, receivedAt }: Asking, group: Group) => {
  const quietMs = quietTimeMs(await correlationSettings(ports.records, tenant));
  const { moments } = await timelineOf(ports, tenant, group, { order: 'asc', quietMs, now: receivedAt });
  const timeline = moments
    .filter(({ kind }) => kind !== 'founded' && kind !== 'joined')
    .slice(0, MOMENTS)
    .map(({ at, kind, text }): CourseRow => ({ at: iso(at), kind, text }));
  return { notes: notesIn(moments), timeline };
};
