import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useOnce } from '#console/actions/use-once.ts';
import { useSourceToken } from '#console/actions/use-source-token.ts';
import { listRejected, readSource, type SourceDetail, testSource } from '#console/api/sources.ts';
import { Age } from '#console/components/age.tsx';
import { Mark } from '#console/components/mark/mark.tsx';
import { Snippet } from '#console/components/snippet.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { FactsList } from '#console/data/facts-list.tsx';
import { CopyButton } from '#console/forms/copy-button.tsx';
import { SecretDialog } from '#console/forms/secret-dialog.tsx';
import { Page } from '#console/frame/page.tsx';
import { Section } from '#console/frame/section.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count, number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import classes from './sources.module.css';
import * as text from './texts.ts';

interface Props {
  readonly source: SourceDetail;
  /** The last event when the page was opened. */
  readonly before: string | null;
}

/** Shows whether something arrives, as it arrives. */
function FirstEvent({ source, before }: Props) {
  const { call } = useAppServices();
  const attempt = useAttempt(['sources']);
  const { name, title, lastEventAt, events24h, rejected24h } = source;
  const hasCome = lastEventAt !== null && lastEventAt !== before;
  const [test, isBusy] = useOnce(() =>
    attempt(() => testSource(call, name), { done: text.testEventSent, failed: text.couldntSendTestEvent }),
  );
  return (
    <Section
      title={text.incomingEvents}
      end={
        <>
          <Button variant="default" component={Link} to={`/events?source=${name}`}>
            {text.viewEvents}
          </Button>
          {source.isMapped ? (
            <Button variant="default" component={Link} to={`/sources/${name}/mapping`}>
              {text.mapping}
            </Button>
          ) : null}
          {source.isMonitor && !source.isMapped ? (
            <Button variant="default" loading={isBusy} onClick={() => void test()}>
              {text.sendTestEvent}
            </Button>
          ) : null}
        </>
      }
    >
      <p className={classes.arrival} role="status">
        {lastEventAt === null ? (
          <Mark kind="quiet">{text.waitingFirstEvent(title)}</Mark>
        ) : (
          <Mark kind="good">
            {hasCome ? text.received : text.lastEvent}
            <Age since={lastEventAt} />
          </Mark>
        )}
      </p>
      <p className={classes.note}>{text.arrivals(count(events24h, 'message'), number(rejected24h))}</p>
    </Section>
  );
}

const CARRIES = { header: text.tokenInHeader, password: text.tokenInPassword, query: text.tokenInQuery } as const;

/** Address, token and snippet to paste; a new token is shown in it until the page is left. */
function SetUp({ source }: { readonly source: SourceDetail }) {
  const { token, isBusy, make, filled, lacks } = useSourceToken(source);
  const [isShown, setShown] = useState(false);
  const show = async (): Promise<void> => {
    if (await make()) setShown(true);
  };
  return (
    <Section
      title={text.setup}
      lead={token === null ? text.createTokenFirst(source.tokenPlace) : text.snippetsContainToken}
      end={
        <Button loading={isBusy} variant={token === null ? 'filled' : 'default'} onClick={() => void show()}>
          {token === null ? text.createToken : text.createAnotherToken}
        </Button>
      }
    >
      <div className={classes.stack}>
        <FactsList
          facts={[
            [
              text.url,
              <span key="address" className={classes.line}>
                <code className={classes.code}>{source.address}</code>
                <CopyButton text={source.address} />
              </span>,
            ],
            [text.token, text.tokenUse(CARRIES[source.carries])],
          ]}
        />
        {source.snippets.map(({ title, text }) => (
          <Snippet key={title} title={title} text={filled(text)} lacks={lacks(text)} />
        ))}
      </div>
      <SecretDialog secret={isShown ? token : null} title={text.tokenOf(source.title)} onClose={() => setShown(false)}>
        {text.tokenHint}
      </SecretDialog>
    </Section>
  );
}

/** Returns it indented as in a snippet; truncated JSON is unchanged. */
const laidOut = (payload: string): string => {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
};

/** Bodies of a source that could not be read, with the reason. */
function Refused({ name }: { readonly name: string }) {
  const { call } = useAppServices();
  const query = useQuery({
    queryKey: ['sources', 'refused'],
    queryFn: ({ signal }) => listRejected(call, undefined, signal),
  });
  return (
    <Section title={text.rejectedPayloads} lead={text.rejectedPayloadsLead}>
      <Region query={query} what={nouns.rejectedPayloads}>
        {({ data }) => {
          const own = data.filter(({ source }) => source === name);
          if (own.length === 0) return <Notice title={text.noRejectedPayloads}>{text.noRejectedPayloadsHint}</Notice>;
          return (
            <div className={classes.stack}>
              {own.map(({ id, at, error, index, payload }) => (
                <details key={id}>
                  <summary className={classes.refusal}>
                    <Timestamp at={at} /> {error}
                    {index === null ? '' : text.item(index + 1)}
                  </summary>
                  <Snippet title={text.payload} text={laidOut(payload)} />
                </details>
              ))}
            </div>
          );
        }}
      </Region>
    </Section>
  );
}

const READ_MS = 5_000;
/** A page that is forgotten asks no more: five minutes without a word from it. */
const MAX_READS = 60;

/** One source of events. */
export function SourcePage() {
  const { name = '' } = useParams({ strict: false }) as { readonly name?: string };
  const { call } = useAppServices();
  const mayRead = useMay('pipeline.read');
  const [before, setBefore] = useState<string | null | undefined>(undefined);
  const query = useQuery({
    queryKey: ['sources', 'one', name],
    queryFn: ({ signal }) => readSource(call, name, signal),
    refetchInterval: ({ state }) => (state.dataUpdateCount > MAX_READS ? false : READ_MS),
  });
  useLive(['events'], () => query.refetch());
  if (before === undefined && query.data !== undefined) setBefore(query.data.lastEventAt);
  return (
    <Page title={query.data?.title ?? text.source} scrolls lead={<Link to="/sources">{text.allSources}</Link>}>
      <Region query={query} what={nouns.source} skeleton={<Skeleton rows={8} height={48} />}>
        {(source) => (
          <>
            <FirstEvent source={source} before={before ?? null} />
            <SetUp source={source} />
            {mayRead ? <Refused name={name} /> : null}
          </>
        )}
      </Region>
    </Page>
  );
}
