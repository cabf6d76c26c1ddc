import { NativeSelect } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type QualityData, readQuality } from '#console/api/tuning.ts';
import compact from '#console/data/compact-table.module.css';
import parts from '#console/forms/settings/settings.module.css';
import { Section } from '#console/frame/section.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { number, plain } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import * as shared from '#console/text/texts.ts';
import { percent } from '#domain/numbers.ts';
import own from './quality.module.css';
import classes from './quality.module.css';
import {
  calibrationWords,
  causeWords,
  ENOUGH,
  intervalWords,
  memberWords,
  mendedWords,
  rangeWords,
  strategyWords,
} from './quality-words.ts';
import * as text from './texts.ts';

interface Props {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

const WIDTH = 140;

/** A share with its confidence interval. */
function IntervalBar({ share, low, high }: Props) {
  return (
    <svg className={classes.interval} viewBox={`0 0 ${WIDTH} 12`} width={WIDTH} height={12} aria-hidden>
      <line x1={0} x2={WIDTH} y1={6} y2={6} className={classes.axis} />
      <line x1={low * WIDTH} x2={high * WIDTH} y1={6} y2={6} className={classes.range} />
      <circle cx={Math.min(WIDTH - 4, Math.max(4, share * WIDTH))} cy={6} r={4} className={classes.dot} />
    </svg>
  );
}

const RANGES = [
  { value: '24h', words: shared.last24Hours },
  { value: '3d', words: shared.last3Days },
  { value: '7d', words: shared.last7Days },
] as const;
const MIN_MS = 5_000;

interface ShareLine extends Pick<QualityData['cause'], 'right' | 'of' | 'interval'> {
  readonly words: string;
}

function Shares({ head, lines }: { readonly head: string; readonly lines: readonly ShareLine[] }) {
  if (lines.length === 0) return <p className={parts.dim}>{text.noVerdictsYet}</p>;
  return (
    <table className={compact.table}>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col" data-end>
            {text.correct}
          </th>
          <th scope="col">{text.interval95}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ words, right, of, interval }) => (
          <tr key={words}>
            <th scope="row">{words}</th>
            <td data-end>{text.rightOf(number(right), number(of))}</td>
            <td>
              {interval === null || of === 0 ? (
                '–'
              ) : (
                <>
                  {rangeWords(interval)}
                  <IntervalBar share={right / of} low={interval.low} high={interval.high} />
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Bins({ quality }: { readonly quality: QualityData }) {
  const judged = quality.calibration.bins.filter((bin) => bin.judged > 0);
  if (judged.length === 0) return null;
  return (
    <table className={compact.table}>
      <thead>
        <tr>
          <th scope="col">{text.confidence}</th>
          <th scope="col" data-end>
            {text.correct}
          </th>
          <th scope="col">{text.interval95}</th>
          <th scope="col" data-end>
            {text.verdicts}
          </th>
        </tr>
      </thead>
      <tbody>
        {judged.map((bin) => (
          <tr key={bin.from}>
            <th scope="row">
              {Math.round(bin.from * 100)}–{percent(bin.to)}
            </th>
            <td data-end>{bin.hitRate === null ? '–' : percent(bin.hitRate)}</td>
            <td>{bin.interval === null ? '–' : rangeWords(bin.interval)}</td>
            <td data-end>{number(bin.judged)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Few({ quality }: { readonly quality: QualityData }) {
  if (quality.cause.of >= ENOUGH) return null;
  return (
    <p className={parts.caution}>
      {text.verdictsNeeded(quality.cause.of, ENOUGH)}{' '}
      <Link to="/groups" search={{ verdict: 'none' } as never}>
        {text.viewGroupsWithoutVerdict}
      </Link>
    </p>
  );
}

function Groups({ quality }: { readonly quality: QualityData }) {
  const { correct, precise, complete } = quality.groups;
  const lines = [
    { ...correct, words: text.rightEvents },
    { ...precise, words: text.noUnrelatedEvents },
    { ...complete, words: text.noMissingEvents },
  ];
  return (
    <>
      <Shares head={text.events} lines={quality.verdicts === 0 ? [] : lines} />
      {quality.verdicts > 0 && quality.verdicts < ENOUGH ? (
        <p className={parts.small}>{text.fewVerdicts(ENOUGH)}</p>
      ) : null}
      {memberWords(quality).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </>
  );
}

function Shown({ quality }: { readonly quality: QualityData }) {
  return (
    <div className={own.parts}>
      <Section flush title={text.rootCauses}>
        <div className={parts.body}>
          <p>
            <span className={own.large}>{causeWords(quality.cause)}</span> {intervalWords(quality.cause)}
          </p>
          <Few quality={quality} />
        </div>
      </Section>
      <Section flush title={text.groups}>
        <div className={parts.body}>
          <Groups quality={quality} />
          <p>{mendedWords(quality)}</p>
          {quality.truncated ? <p className={parts.small}>{text.onlyNewestCounted}</p> : null}
        </div>
      </Section>
      <Section flush title={text.byStrategy}>
        <div className={parts.body}>
          <Shares
            head={text.strategy}
            lines={quality.byStrategy.map((one) => ({ ...one, words: strategyWords(one.strategy) }))}
          />
        </div>
      </Section>
      <Section flush title={text.byCiType}>
        <div className={parts.body}>
          <Shares
            head={text.ciType}
            lines={quality.byCiType.map((one) => ({
              ...one,
              words: one.type === null ? text.noCiBound : plain(one.type),
            }))}
          />
        </div>
      </Section>
      <Section flush title={text.confidenceCalibration}>
        <div className={parts.body}>
          <p>{calibrationWords(quality)}</p>
          <Bins quality={quality} />
        </div>
      </Section>
    </div>
  );
}

/** Verdicts of users on groups, in sentences. */
export function QualityView({ address }: { readonly address: Address }) {
  const range = RANGES.find(({ value }) => value === address.query.range)?.value ?? '7d';
  const query = useRead(['tuning', 'quality', range], (call, signal) => readQuality(call, range, signal));
  useLive(['groups'], () => query.refetch(), undefined, MIN_MS);
  return (
    <div className={own.view}>
      <div className={parts.ways}>
        <span>{text.verdictsFrom}</span>
        <NativeSelect
          size="xs"
          aria-label={text.timeRange}
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
      <Region query={query} what={nouns.verdicts} skeleton={<Skeleton rows={8} height={40} />}>
        {(quality) => <Shown quality={quality} />}
      </Region>
    </div>
  );
}
