import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OneEvent } from '#console/api/event-finds.ts';
import { type EventRow, listEvents } from '#console/api/events.ts';
import { ExplainedPair } from '#console/facts/explained-pair.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useExplained } from '#console/hooks/use-explained.ts';
import { Region } from '#console/states/region.tsx';

const FOUND = 30;
const TYPING_MS = 300;

const nameOf = ({ title, ciId, hostname }: Pick<EventRow, 'title' | 'ciId' | 'hostname'>): string =>
  `${ciId?.name ?? hostname ?? 'no host'}: ${title}`;

/** Any other event: why the two are, or are not, in one group. */
export function ExplainWith({ event }: { readonly event: OneEvent }) {
  const { call } = useParts();
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const [other, setOther] = useState<string | null>(null);
  const found = useQuery({
    queryKey: ['events', 'found', text, FOUND],
    queryFn: ({ signal }) => listEvents(call, { search: text || undefined, limit: FOUND }, signal),
    placeholderData: keepPreviousData,
  });
  const explained = useExplained(event.eventId, other);
  const others = (found.data?.events ?? []).filter(({ eventId }) => eventId !== event.eventId);
  const chosen = others.find(({ eventId }) => eventId === other);
  return (
    <>
      <Select
        aria-label="The other event"
        placeholder="Words of title, description or host"
        searchable
        filter={({ options }) => options}
        data={others.map((one) => ({ value: one.eventId, label: nameOf(one) }))}
        value={other}
        onChange={setOther}
        onSearchChange={setTyped}
        mb="md"
      />
      {other === null ? null : (
        <Region query={explained} what="The explanation">
          {(pair) => (
            <ExplainedPair
              explained={pair}
              names={[nameOf(event), chosen === undefined ? 'the other' : nameOf(chosen)]}
            />
          )}
        </Region>
      )}
    </>
  );
}
