import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSourceToken } from '#console/actions/use-source-token.ts';
import { listEvents } from '#console/api/events.ts';
import { listSources, readSource, type SourceDetail } from '#console/api/sources.ts';
import { Age } from '#console/facts/age.tsx';
import { Icon } from '#console/facts/icon.tsx';
import { Snippet } from '#console/facts/snippet.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { Region } from '#console/states/region.tsx';
import { Card } from './card.tsx';
import classes from './start.module.css';

/** Waits for the first event, and says whose it was. */
function FirstEvent() {
  const { call } = useParts();
  const newest = useQuery({
    queryKey: ['events', 'newest'],
    queryFn: async ({ signal }) => (await listEvents(call, { limit: 1 }, signal)).events[0] ?? null,
  });
  useLive(['events'], () => newest.refetch());
  const event = newest.data ?? null;
  const { empty } = useMe();
  const [wasEmpty] = useState(empty.events);
  if (event === null)
    return (
      <p className={classes.waits} role="status">
        <span className={classes.dot} aria-hidden /> Waiting for the first event
      </p>
    );
  return (
    <p className={classes.came} role="status">
      <Icon name="check" size={14} />
      <span>
        {wasEmpty ? 'The first event is here' : 'The newest event'}:{' '}
        <Link to={`/events?event=${event.eventId}`}>{event.title}</Link> from {event.source},{' '}
        <Age since={event.createdAt} after=" ago" />
      </span>
    </p>
  );
}

function Snippets({ source }: { readonly source: SourceDetail }) {
  const { token, isBusy, make, filled, lacks } = useSourceToken(source);
  return (
    <div className={classes.setup}>
      <Snippet title="Address" text={source.address} />
      {token === null ? (
        <Button variant="default" loading={isBusy} onClick={() => void make()}>
          Make a token for it
        </Button>
      ) : (
        <Snippet title="Token, shown this once; it stands below, too" text={token} />
      )}
      {source.snippets.map(({ title, text }) => (
        <Snippet key={title} title={title} text={filled(text)} lacks={lacks(text)} />
      ))}
    </div>
  );
}

function Setup({ name }: { readonly name: string }) {
  const { call } = useParts();
  const query = useQuery({
    queryKey: ['sources', 'one', name],
    queryFn: ({ signal }) => readSource(call, name, signal),
  });
  return (
    <Region query={query} what="The source">
      {(source) => <Snippets source={source} />}
    </Region>
  );
}

/** Address, token and snippet of a monitor. */
export function SourceCard({ number }: { readonly number: number }) {
  const { call } = useParts();
  const [name, setName] = useState('prometheus');
  const sources = useQuery({ queryKey: ['sources', 'list'], queryFn: ({ signal }) => listSources(call, signal) });
  return (
    <Card number={number} title="Send real events">
      <Region query={sources} what="The sources">
        {(all) => (
          <Select
            aria-label="Monitor"
            data={all.map((one) => ({ value: one.name, label: one.title }))}
            value={name}
            onChange={(chosen) => chosen !== null && setName(chosen)}
            allowDeselect={false}
          />
        )}
      </Region>
      <FirstEvent />
      <Setup key={name} name={name} />
    </Card>
  );
}
