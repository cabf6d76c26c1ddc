import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type QualityShown, readQuality } from '#console/api/tuning.ts';
import compact from '#console/data/compact-table.module.css';
import parts from '#console/forms/settings/settings.module.css';
import { Section } from '#console/frame/section.tsx';
import { useParts } from '#console/hooks/parts.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { number, percent, plain } from '#console/words/counts.ts';
import { IntervalBar } from './interval-bar.tsx';
import own from './quality.module.css';
import {
  calibrationWords,
  causeWords,
  ENOUGH,
  intervalWords,
  memberWords,
  mendedWords,
  strategyWords,
} from './quality-words.ts';

const RANGES = [
  { value: '24h', words: 'the last day' },
  { value: '3d', words: 'the last 3 days' },
  { value: '7d', words: 'the last 7 days' },
] as const;
const LEAST_MS = 5_000;

interface Line extends Pick<QualityShown['cause'], 'right' | 'of' | 'interval'> {
  readonly words: string;
}

function Shares({ head, lines }: { readonly head: string; readonly lines: readonly Line[] }) {
  if (lines.length === 0) return <p className={parts.dim}>Comes with the first verdict.</p>;
  return (
    <table className={compact.table}>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col" data-end>
            Cause right
          </th>
          <th scope="col">Where the true share may lie</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ words, right, of, interval }) => (
          <tr key={words}>
            <th scope="row">{words}</th>
            <td data-end>
              {number(right)} of {number(of)}
            </td>
            <td title={interval === null ? undefined : `${percent(interval.low)} to ${percent(interval.high)}`}>
              {interval === null || of === 0 ? (
                '–'
              ) : (
                <IntervalBar share={right / of} low={interval.low} high={interval.high} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Bins({ quality }: { readonly quality: QualityShown }) {
  const judged = quality.calibration.bins.filter((bin) => bin.judged > 0);
  if (judged.length === 0) return null;
  return (
    <table className={compact.table}>
      <thead>
        <tr>
          <th scope="col">Confidence said</th>
          <th scope="col" data-end>
            Right
          </th>
          <th scope="col" data-end>
            Judged
          </th>
        </tr>
      </thead>
      <tbody>
        {judged.map((bin) => (
          <tr key={bin.from}>
            <th scope="row">
              {Math.round(bin.from * 100)} to {percent(bin.to)}
            </th>
            <td data-end>{bin.hitRate === null ? '–' : percent(bin.hitRate)}</td>
            <td data-end>{number(bin.judged)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Few({ quality }: { readonly quality: QualityShown }) {
  if (quality.cause.of >= ENOUGH) return null;
  return (
    <p className={parts.caution}>
      {quality.cause.of === 0 ? 'No verdicts yet' : 'Few verdicts'}: from about {ENOUGH} on, these numbers begin to mean
      something. One click on a group says whether its cause was right.{' '}
      <Link to="/groups" search={{ verdict: 'none' } as never}>
        Groups without a verdict
      </Link>
    </p>
  );
}

function Shown({ quality }: { readonly quality: QualityShown }) {
  return (
    <div className={own.parts}>
      <Section flush title="Causes">
        <div className={parts.body}>
          <p>
            <span className={own.large}>{causeWords(quality.cause)}</span> {intervalWords(quality.cause)}
          </p>
          <Few quality={quality} />
        </div>
      </Section>
      <Section flush title="Groups">
        <div className={parts.body}>
          {memberWords(quality).map((line) => (
            <p key={line}>{line}</p>
          ))}
          <p>{mendedWords(quality)}</p>
          {quality.truncated ? (
            <p className={parts.small}>Only the newest 1,000 groups of each verdict are counted.</p>
          ) : null}
        </div>
      </Section>
      <Section flush title="By what joined the cause">
        <div className={parts.body}>
          <Shares
            head="Joined by"
            lines={quality.byStrategy.map((one) => ({ ...one, words: strategyWords(one.strategy) }))}
          />
        </div>
      </Section>
      <Section flush title="By the kind of CI">
        <div className={parts.body}>
          <Shares
            head="Kind of CI"
            lines={quality.byCiType.map((one) => ({
              ...one,
              words: one.type === null ? 'No CI known' : plain(one.type),
            }))}
          />
        </div>
      </Section>
      <Section flush title="Does confidence keep its word?">
        <div className={parts.body}>
          <p>{calibrationWords(quality)}</p>
          <Bins quality={quality} />
        </div>
      </Section>
    </div>
  );
}

/** Verdicts of people on groups, in sentences. */
export function QualityView({ address }: { readonly address: Address }) {
  const { call } = useParts();
  const range = RANGES.find(({ value }) => value === address.query.range)?.value ?? '7d';
  const query = useQuery({
    queryKey: ['tuning', 'quality', range],
    queryFn: ({ signal }) => readQuality(call, range, signal),
  });
  useLive(['groups'], () => query.refetch(), undefined, LEAST_MS);
  return (
    <div className={own.view}>
      <div className={parts.ways}>
        <span>Verdicts on groups of</span>
        <NativeSelect
          size="xs"
          aria-label="Time"
          value={range}
          onChange={({ currentTarget }) => address.change({ range: currentTarget.value }, { replace: true })}
        >
          {RANGES.map(({ value, words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </NativeSelect>
      </div>
      <Region query={query} what="The verdicts" skeleton={<Skeleton rows={8} height={40} />}>
        {(quality) => <Shown quality={quality} />}
      </Region>
    </div>
  );
}
