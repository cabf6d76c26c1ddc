import { Button, Select } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSourceToken } from '#console/actions/use-source-token.ts';
import { listEvents } from '#console/api/events.ts';
import { listSources, readSource, type SourceDetail } from '#console/api/sources.ts';
import { Age } from '#console/components/age.tsx';
import { Icon } from '#console/components/icon.tsx';
import { Snippet } from '#console/components/snippet.tsx';
import { Page } from '#console/frame/page.tsx';
import { useLive } from '#console/hooks/use-live.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { inPlace, type StartCard, useSlot } from '#console/slots/feature.ts';
import { Region } from '#console/states/region.tsx';
import * as nouns from '#console/text/nouns/texts.ts';
import { Card } from './card.tsx';
import classes from './get-started.module.css';
import * as text from './texts.ts';

/** Waits for the first event, and shows its source. */
function FirstEvent() {
  const newest = useRead(
    ['events', 'newest'],
    async (call, signal) => (await listEvents(call, { limit: 1 }, signal)).events[0] ?? null,
  );
  useLive(['events'], () => newest.refetch());
  const event = newest.data ?? null;
  const { empty } = useMe();
  const [wasEmpty] = useState(empty.events);
  if (event === null)
    return (
      <p className={classes.waits} role="status">
        <span className={classes.dot} aria-hidden /> {text.waitingFirstEvent}
      </p>
    );
  return (
    <p className={classes.came} role="status">
      <Icon name="check" size={14} />
      <span>
        {wasEmpty ? text.firstEventReceived : text.latestEvent}:{' '}
        <Link to={`/events?event=${event.eventId}`}>{event.title}</Link> {text.from(event.source)}{' '}
        <Age since={event.createdAt} />
      </span>
    </p>
  );
}

function Snippets({ source }: { readonly source: SourceDetail }) {
  const { token, isBusy, make, filled, lacks } = useSourceToken(source);
  return (
    <div className={classes.setup}>
      <Snippet title={text.url} text={source.address} />
      {token === null ? (
        <Button variant="default" loading={isBusy} onClick={() => void make()}>
          {text.createToken}
        </Button>
      ) : (
        <Snippet title={text.tokenShownOnce} text={token} />
      )}
      {source.snippets.map(({ title, text }) => (
        <Snippet key={title} title={title} text={filled(text)} lacks={lacks(text)} />
      ))}
    </div>
  );
}

function Setup({ name }: { readonly name: string }) {
  const query = useRead(['sources', 'one', name], (call, signal) => readSource(call, name, signal));
  return (
    <Region query={query} what={nouns.source}>
      {(source) => <Snippets source={source} />}
    </Region>
  );
}

/** Address, token and snippet of a monitor. */
function SourceCard({ number }: { readonly number: number }) {
  const [name, setName] = useState('prometheus');
  const sources = useRead(['sources', 'list'], (call, signal) => listSources(call, signal));
  return (
    <Card number={number} title={text.connectSource}>
      <Region query={sources} what={nouns.sources}>
        {(all) => (
          <Select
            aria-label={text.monitoringSystem}
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

const SOURCES: StartCard = {
  id: 'sources',
  place: 10,
  isFor: ({ permissions }) => permissions.includes('tokens.manage'),
  Part: SourceCard,
};

/** The first run; later the page for further setup. */
export function StartPage() {
  const me = useMe();
  const cards = inPlace([SOURCES, ...useSlot('startCards')]).map((card, at) => ({ ...card, number: at + 1 }));
  const own = cards.filter(({ isFor }) => isFor(me));
  return (
    <Page title={text.getStarted} lead={me.empty.events ? text.chooseHowToStart : text.connectMore} scrolls>
      <div className={classes.cards}>
        {own.map(({ id, number, Part }) => (
          <Part key={id} number={number} />
        ))}
      </div>
      {own.length === 0 ? <p>{text.readOnlyRole(me.tenant.id)}</p> : null}
    </Page>
  );
}
