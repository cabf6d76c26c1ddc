import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { PageLink } from '#console/cis/page-link.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { useRead } from '#console/hooks/use-read.ts';
import { useReach } from '#console/pages/ci/use-ci.ts';
import { count } from '#console/text/counts.ts';
import type { SilenceMatcher } from '#domain/event/silences/silence-rule.ts';
import { previewSilence } from './api.ts';
import { matcherOf, type SilenceCondition } from './silence-draft.ts';
import classes from './silences.module.css';
import * as text from './texts.ts';

const TYPING_MS = 300;

function Reach({ ci }: { readonly ci: string }) {
  const reach = useReach(ci);
  return reach.data === undefined ? null : ` ${text.includes(count(reach.data.total, 'impacted CI'))}`;
}

function Matches({ matcher }: { readonly matcher: SilenceMatcher }) {
  const found = useRead(['silences', 'preview', matcher], (call, signal) => previewSilence(call, matcher, signal), {
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (found.isError) return <p role="status">{found.error.message}</p>;
  if (found.data === undefined) return <p role="status">{text.countingMatchingEvents}</p>;
  const { matched, open, truncated, samples } = found.data;
  const words = (value: number, one: string) => count(value, one).replace(/^(\S+)/, truncated ? '$1+' : '$1');
  return (
    <>
      <p role="status">
        {text.matches(words(open, 'open event'), words(matched, 'event'))}
        {matcher.below === undefined ? null : <Reach ci={matcher.below} />}
      </p>
      <ul>
        {samples.map(({ eventId, title, hostname, severity }) => (
          <li key={eventId}>
            <SeverityMark severity={severity} bare />{' '}
            <PageLink to={`/events?event=${eventId}`}>
              <bdi>{hostname === undefined || title.includes(hostname) ? title : text.onHost(hostname, title)}</bdi>
            </PageLink>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Events that it would suppress now, and of the last day. */
export function SilencePreview({ conditions }: { readonly conditions: readonly SilenceCondition[] }) {
  const [settled] = useDebouncedValue(conditions, TYPING_MS);
  let matcher: SilenceMatcher | null;
  try {
    matcher = matcherOf(settled);
  } catch (error) {
    return <p className={classes.preview}>{(error as Error).message}</p>;
  }
  return (
    <div className={classes.preview}>
      {matcher === null ? <p>{text.noCondition}</p> : <Matches matcher={matcher} />}
    </div>
  );
}
