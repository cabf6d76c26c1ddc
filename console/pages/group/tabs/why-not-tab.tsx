import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type EventRow, listEvents } from '#console/api/events.ts';
import type { MemberData } from '#console/api/group-parts.ts';
import { ExplainedPair } from '#console/components/explained-pair.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import choice from '#console/data/choice.module.css';
import listed from '#console/data/found.module.css';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useExplained } from '#console/hooks/use-explained.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { eventName } from '#console/text/event-text.ts';
import classes from '../group.module.css';
import * as texts from './texts.ts';

const TYPING_MS = 300;
const FOUND = 20;

function Found({
  text,
  groupId,
  chosen,
  onChoose,
}: {
  readonly text: string;
  readonly groupId: string;
  readonly chosen: EventRow | null;
  readonly onChoose: (event: EventRow) => void;
}) {
  const { call } = useAppServices();
  const found = useQuery({
    queryKey: ['events', 'found', text],
    queryFn: ({ signal }) => listEvents(call, { search: text || undefined, limit: FOUND }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Region query={found} what={texts.eventList}>
      {({ events }) => {
        const others = events.filter(({ correlationId }) => correlationId !== groupId);
        if (others.length === 0)
          return <Notice title={texts.noMatchingEvents}>{texts.searchesEventsOutsideGroup}</Notice>;
        return (
          <ul className={listed.list} aria-label={texts.eventsOutsideThisGroup}>
            {others.map((event) => (
              <li key={event.eventId}>
                <button
                  type="button"
                  className={`${choice.choice} ${listed.one}`}
                  aria-pressed={event.eventId === chosen?.eventId}
                  onClick={() => onChoose(event)}
                >
                  <SeverityMark severity={event.severity} bare />
                  <span className={listed.name}>{eventName(event)}</span>
                  <Timestamp at={event.timestamp} />
                </button>
              </li>
            ))}
          </ul>
        );
      }}
    </Region>
  );
}

interface Props {
  readonly groupId: string;
  readonly members: readonly MemberData[];
  readonly cause: string | null;
}

/** Any other event: why it is not here. */
export function WhyNotTab({ groupId, members, cause }: Props) {
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const [chosen, setChosen] = useState<EventRow | null>(null);
  const [member, setMember] = useState<string | null>(cause ?? members[0]?.eventId ?? null);
  const explained = useExplained(chosen?.eventId ?? null, member);
  const against = members.find(({ eventId }) => eventId === member);
  return (
    <div className={classes.whyNot}>
      <div>
        <TextInput
          label={texts.eventOutsideThisGroup}
          placeholder={texts.searchTitleDescriptionHostname}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Found text={text} groupId={groupId} chosen={chosen} onChoose={setChosen} />
      </div>
      <div>
        <Select
          label={texts.compareWith}
          searchable
          limit={50}
          data={members.map((one) => ({ value: one.eventId, label: eventName(one) }))}
          value={member}
          onChange={setMember}
          allowDeselect={false}
        />
        {chosen === null || against === undefined ? (
          <Notice title={texts.selectAnEvent}>{texts.showsScoresBelowThreshold}</Notice>
        ) : (
          <Region query={explained} what={texts.explanation}>
            {(found) => <ExplainedPair explained={found} names={[eventName(chosen), eventName(against)]} />}
          </Region>
        )}
      </div>
    </div>
  );
}
