import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { listEvents } from '#console/api/events.ts';
import { listSources, makeSourceToken, readSource } from '#console/api/first-run.ts';
import { Age } from '#console/facts/age.tsx';
import { Icon } from '#console/facts/icon.tsx';
import { Snippet } from '#console/facts/snippet.tsx';
import { sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useLive } from '#console/hooks/use-live.ts';
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
  if (event === null)
    return (
      <p className={classes.waits} role="status">
        <span className={classes.dot} aria-hidden /> Waiting for the first event
      </p>
    );
  return (
    <p className={classes.came} role="status">
      <Icon name="check" size={14} /> The first event is here:{' '}
      <Link to={`/events?event=${event.eventId}`}>{event.title}</Link> from {event.source},{' '}
      <Age since={event.createdAt} after=" ago" />
    </p>
  );
}

function Setup({ name }: { readonly name: string }) {
  const { call } = useParts();
  const [token, setToken] = useState<string | null>(null);
  const source = useQuery({
    queryKey: ['sources', name],
    queryFn: ({ signal }) => readSource(call, name, signal),
  });
  const make = async (): Promise<void> => {
    try {
      setToken(await makeSourceToken(call, `${name} webhook`));
    } catch (error) {
      sayFailure('No token could be made', error);
    }
  };
  return (
    <Region query={source} what="The source">
      {({ address, snippets, tokenPlace }) => (
        <div className={classes.setup}>
          <Snippet title="Address" text={address} />
          {token === null ? (
            <Button variant="default" onClick={() => void make()}>
              Make a token for it
            </Button>
          ) : (
            <Snippet title="Token, shown this once" text={token} />
          )}
          {snippets.map(({ title, text }) => (
            <Snippet key={title} title={title} text={token === null ? text : text.replaceAll(tokenPlace, token)} />
          ))}
        </div>
      )}
    </Region>
  );
}

/** Address, token and snippet of a monitor. */
export function SourceCard() {
  const { call } = useParts();
  const [name, setName] = useState('prometheus');
  const sources = useQuery({ queryKey: ['sources'], queryFn: ({ signal }) => listSources(call, signal) });
  return (
    <Card number={2} title="Send real events">
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
      <Setup key={name} name={name} />
      <FirstEvent />
    </Card>
  );
}
