import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { listEvents } from '#console/api/events.ts';
import { readGroup } from '#console/api/groups.ts';
import { useParts } from '#console/hooks/parts.ts';
import type { TalkQuestion } from './talk.ts';

/** The subject of the page, and questions about it. */
export interface Subject {
  readonly words: string;
  readonly ci: string | null;
  readonly questions: readonly TalkQuestion[];
}

const ANYTHING: readonly TalkQuestion[] = [
  { words: 'Which critical events are open?' },
  { words: 'How many events were there last week?' },
  { words: 'Show me all databases' },
];
const ofCi = (name: string, ci: string): readonly TalkQuestion[] => [
  { words: `Why is ${name} down?`, message: 'Why is it down?', currentCI: ci },
  { words: `What happens if ${name} fails?`, message: 'What happens if it fails?', currentCI: ci },
  { words: `What changed on ${name}?`, message: 'What changed on it?', currentCI: ci },
];

const part = (path: string, page: string): string | null => {
  const found = new RegExp(`/${page}/([^/]+)$`).exec(path)?.[1];
  return found === undefined ? null : decodeURIComponent(found);
};

/** The group, event or CI that the page shows. */
export const useSubject = (isOpen: boolean): Subject => {
  const { call } = useParts();
  const { path, search } = useRouterState({
    select: ({ location }) => ({
      path: location.pathname,
      search: location.search as Readonly<Record<string, string>>,
    }),
  });
  const groupId = part(path, 'groups');
  const eventId = search.event ?? null;
  const ciId = part(path, 'cis') ?? (path.endsWith('/topology') ? (search.ci ?? null) : null);
  const group = useQuery({
    queryKey: ['groups', 'detail', groupId],
    queryFn: ({ signal }) => readGroup(call, groupId ?? '', signal),
    enabled: isOpen && groupId !== null,
  });
  const event = useQuery({
    queryKey: ['events', 'subject', eventId],
    queryFn: async ({ signal }) => (await listEvents(call, { ids: eventId ?? '', limit: 1 }, signal)).events[0] ?? null,
    enabled: isOpen && groupId === null && eventId !== null,
  });

  if (groupId !== null) {
    const { title, cause } = group.data ?? {};
    const ci = cause?.ci ?? null;
    return {
      words: title ?? 'this group',
      ci: ci?.id ?? null,
      questions: [
        { words: 'What caused this group?', message: `What caused ${groupId}?` },
        ...(ci === null ? [] : ofCi(ci.name, ci.id)),
      ],
    };
  }
  if (event.data != null) {
    const { title, ciId: ci } = event.data;
    const known = typeof ci === 'object' && ci !== null ? ci : null;
    return { words: title, ci: known?._id ?? null, questions: known === null ? ANYTHING : ofCi(known.name, known._id) };
  }
  if (ciId !== null) return { words: 'this CI', ci: ciId, questions: ofCi('it', ciId) };
  return { words: '', ci: null, questions: ANYTHING };
};
