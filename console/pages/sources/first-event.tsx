import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useOnce } from '#console/actions/use-once.ts';
import { type SourceDetail, testSource } from '#console/api/sources.ts';
import { Age } from '#console/facts/age.tsx';
import { Mark } from '#console/facts/mark/mark.tsx';
import { Section } from '#console/frame/section.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { count, number } from '#console/words/counts.ts';
import classes from './sources.module.css';

interface Props {
  readonly source: SourceDetail;
  /** The last event when the page was opened. */
  readonly before: string | null;
}

/** Whether something arrives, as it arrives. */
export function FirstEvent({ source, before }: Props) {
  const { call } = useParts();
  const attempt = useAttempt(['sources']);
  const { name, title, lastEventAt, events24h, rejected24h } = source;
  const hasCome = lastEventAt !== null && lastEventAt !== before;
  const [test, isBusy] = useOnce(() =>
    attempt(() => testSource(call, name), {
      done: 'A test went the way of the webhook; its event ends by itself',
      failed: 'The test could not be sent',
    }),
  );
  return (
    <Section
      title="What arrives"
      end={
        <>
          <Button variant="default" component={Link} to={`/events?source=${name}`}>
            Its events
          </Button>
          {source.isMapped ? (
            <Button variant="default" component={Link} to={`/sources/${name}/mapping`}>
              Mapping
            </Button>
          ) : null}
          {source.isMonitor && !source.isMapped ? (
            <Button variant="default" loading={isBusy} onClick={() => void test()}>
              Send a test event
            </Button>
          ) : null}
        </>
      }
    >
      <p className={classes.arrival} role="status">
        {lastEventAt === null ? (
          <Mark kind="quiet">Waiting for the first event of {title}…</Mark>
        ) : (
          <Mark kind="good">
            {hasCome ? 'It arrived: ' : 'Last event '}
            <Age since={lastEventAt} after=" ago" />
          </Mark>
        )}
      </p>
      <p className={classes.note}>
        {count(events24h, 'entry')} in 24 hours, {number(rejected24h)} refused. What arrives is shown within seconds.
      </p>
    </Section>
  );
}
