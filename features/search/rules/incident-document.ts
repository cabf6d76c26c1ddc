import type { Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import type { SearchDocument } from '#domain/search/document.ts';

/** Members that are looked at, the earliest. */
export const MEMBERS_TOLD = 30;

const unique = (texts: readonly (string | undefined)[]): string[] => [
  ...new Set(texts.filter((text) => text !== undefined && text !== '') as string[]),
];

/** Search document of a group: its events, its root cause, and its resolution. `hypothesis`: of its analysis. */
export function incidentDocument(group: Group, members: readonly Event[], hypothesis: string | null): SearchDocument {
  const cause = members.find(({ id }) => id === group.candidate?.eventId) ?? members[0];
  const places = members.flatMap(({ hostname, ci, service, application }) => [
    hostname,
    ci?.name,
    service,
    application,
  ]);
  const titles = members.map(({ title }) => title).filter((title) => title !== cause?.title);
  const notes = members.map(({ resolvedBy, resolutionNotes }) => (resolvedBy ? resolutionNotes : undefined));
  return {
    kind: 'incident',
    id: group.id,
    title: cause?.title ?? group.id,
    text: unique([hypothesis ?? '', ...titles, ...places, cause?.description, ...notes]).join('\n'),
    at: group.last,
    facts: { size: group.size, status: group.status },
  };
}
