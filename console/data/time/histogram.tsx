import { type PointerEvent, useRef, useState } from 'react';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useTimes } from '#console/hooks/use-times.ts';
import { count } from '#console/text/counts.ts';
import type { HistogramBar } from './histogram-bars.ts';
import * as text from './texts.ts';
import classes from './time.module.css';

interface Props {
  readonly columns: readonly HistogramBar[];
  /** Narrows the time, epoch ms. */
  readonly onRange: (from: number, to: number) => void;
}

/** Events over time: drag to narrow the time, or press a column. */
export function Histogram({ columns, onRange }: Props) {
  const { clock } = useAppServices();
  const { when, dated } = useTimes();
  const place = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<readonly [number, number] | null>(null);
  const [reached, setReached] = useState(0);
  // One column is in the tab order, and arrows lead to the others.
  const tabbed = Math.min(reached, columns.length - 1);
  const focusOn = (at: number): void => (place.current?.children[at] as HTMLElement | undefined)?.focus();
  const indexAt = ({ clientX }: PointerEvent): number => {
    const box = place.current?.getBoundingClientRect();
    if (box === undefined) return 0;
    const share = (clientX - box.left) / Math.max(1, box.width);
    return Math.max(0, Math.min(columns.length - 1, Math.floor(share * columns.length)));
  };
  const ended = (): void => {
    if (drag !== null) {
      const [from, to] = [columns[Math.min(...drag)], columns[Math.max(...drag)]];
      if (from !== undefined && to !== undefined) onRange(from.from, to.to);
    }
    setDrag(null);
  };
  const isIn = (at: number): boolean => drag !== null && at >= Math.min(...drag) && at <= Math.max(...drag);
  const middle = columns[Math.floor(columns.length / 2)];
  const bars = (
    <div
      ref={place}
      className={classes.columns}
      data-drawn
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag([indexAt(event), indexAt(event)]);
      }}
      onPointerMove={(event) => drag !== null && setDrag([drag[0], indexAt(event)])}
      onPointerUp={ended}
      onPointerCancel={() => setDrag(null)}
    >
      {columns.map(({ from, to, total, parts }, at) => (
        <button
          key={from}
          type="button"
          tabIndex={at === tabbed ? 0 : -1}
          onFocus={() => setReached(at)}
          className={classes.column}
          data-in={isIn(at) || undefined}
          title={`${when(from)}: ${count(total, 'event')}`}
          aria-label={text.selectFilterRange(when(from), when(to), count(total, 'event'))}
          onKeyDown={(event) => {
            if (event.key === 'ArrowLeft') focusOn(at - 1);
            if (event.key === 'ArrowRight') focusOn(at + 1);
            if (event.key !== 'Enter' && event.key !== ' ') return;
            event.preventDefault();
            onRange(from, to);
          }}
        >
          {parts.map(({ severity, height }) => (
            <span key={severity} data-severity={severity} style={{ height: `${Math.max(4, height * 100)}%` }} />
          ))}
        </button>
      ))}
    </div>
  );
  const last = columns.at(-1);
  const edges = [columns[0]?.from, middle?.from, last && last.to + 1];
  return (
    <section className={classes.histogram} aria-label={text.eventsOverTime}>
      {bars}
      <div className={classes.axis} aria-hidden>
        {edges.map((at) => (at === undefined ? null : <span key={at}>{at > clock.now() ? text.now : dated(at)}</span>))}
      </div>
    </section>
  );
}
