import { type CSSProperties, useMemo } from 'react';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLocal } from '#console/hooks/use-local.ts';
import { useTimes } from '#console/hooks/use-times.ts';
import { Notice } from '#console/states/notice.tsx';
import { count } from '#console/text/counts.ts';
import type { SilenceData } from './api.ts';
import { barsOf, calendarDays, calendarEdges, type SilenceBar } from './calendar.ts';
import { matcherWords } from './matcher-text.ts';
import classes from './silences.module.css';
import * as text from './texts.ts';
import { useSpan } from './use-span.ts';

const share = (part: number): string => `${(part * 100).toFixed(3)}%`;

interface LineProps {
  readonly silence: SilenceData;
  readonly bars: readonly SilenceBar[];
  readonly names: ReadonlyMap<string, string>;
  readonly now: number;
  readonly onOpen: ((silence: SilenceData) => void) | undefined;
}
function Line({ silence, bars, names, now, onOpen }: LineProps) {
  const { dated } = useTimes();
  const spanOf = useSpan();
  const { matcher, reason, recurrence, endsAt } = silence;
  const next = bars.find(({ to }) => to > now);
  const note =
    recurrence === undefined || next === undefined
      ? text.untilTime(dated(endsAt))
      : text.nextWindow(count(bars.length, 'window'), spanOf(next.from, next.to));
  const title = (
    <>
      <span className={classes.reason}>{reason}</span>
      <span className={classes.lineNote}>{matcherWords(matcher, names)}</span>
      <span className={classes.lineNote}>{note}</span>
    </>
  );
  return (
    <li className={classes.line}>
      {onOpen === undefined ? (
        <div className={classes.lineName}>{title}</div>
      ) : (
        <button type="button" className={classes.lineName} onClick={() => onOpen(silence)}>
          {title}
        </button>
      )}
      <div className={classes.track} aria-hidden>
        {bars.map(({ from, to, left, width }) => (
          <span
            key={from}
            className={classes.bar}
            data-now={(from <= now && now < to) || undefined}
            style={{ left: share(left), width: share(width) }}
            title={spanOf(from, to)}
          />
        ))}
      </div>
    </li>
  );
}

interface Props {
  readonly silences: readonly SilenceData[];
  readonly names: ReadonlyMap<string, string>;
  /** Absent: they cannot be edited. */
  readonly onOpen: ((silence: SilenceData) => void) | undefined;
}

/** Windows of the next two weeks, a line for each silence. */
export function SilenceCalendar({ silences, names, onOpen }: Props) {
  const { clock } = useAppServices();
  const local = useLocal();
  const now = clock.now();
  const today = local.toLocal(now).slice(0, 10);
  // biome-ignore lint/correctness/useExhaustiveDependencies: days change at midnight.
  const edges = useMemo(() => calendarEdges(now, local), [today, local]);
  const days = calendarDays(edges);
  const lines = useMemo(
    () =>
      silences
        .map((silence) => ({ silence, bars: barsOf(silence, edges) }))
        .filter(({ bars }) => bars.length > 0)
        .toSorted((a, b) => (a.bars[0]?.from ?? 0) - (b.bars[0]?.from ?? 0)),
    [silences, edges],
  );
  if (lines.length === 0) return <Notice title={text.noWindows}>{text.noSilencesHint}</Notice>;
  const [from = 0, to = 1] = [edges[0], edges.at(-1)];
  const dayWords = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', timeZone: local.zone });
  return (
    <div className={classes.calendar}>
      <div className={classes.days} aria-hidden>
        {days.map(({ at, left, width }) => (
          <span key={at} className={classes.day} style={{ left: share(left), width: share(width) }}>
            {dayWords.format(at)}
          </span>
        ))}
      </div>
      <ul
        className={classes.lines}
        aria-label={text.calendar}
        style={{ '--now': share((now - from) / (to - from)) } as CSSProperties}
      >
        {lines.map(({ silence, bars }) => (
          <Line key={silence.id} silence={silence} bars={bars} names={names} now={now} onOpen={onOpen} />
        ))}
      </ul>
    </div>
  );
}
