import { VisuallyHidden } from '@mantine/core';
import { Panel } from '#console/frame/panel.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { inSentence } from '#console/text/counts.ts';
import { duration } from '#console/text/times.ts';
import { readHealthHistory, type ServiceData, type ServiceHealthHistory } from './api.ts';
import { availabilityWords } from './availability.ts';
import { HEALTH_WORDS } from './health-mark.tsx';
import classes from './services.module.css';
import * as text from './texts.ts';

type Day = ServiceHealthHistory['days'][number];

const dateOf = (at: number): string =>
  new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const dayWords = ({ from, worst, critical_seconds: critical, degraded_seconds: degraded }: Day): string =>
  [
    `${dateOf(Date.parse(from))}: ${worst.status === 'unknown' ? text.noData : `${HEALTH_WORDS[worst.status]} (${worst.score})`}`,
    ...(critical === 0 ? [] : [text.criticalFor(duration(critical * 1_000))]),
    ...(degraded === 0 ? [] : [text.degradedFor(duration(degraded * 1_000))]),
  ].join(', ');

/** A column for each day, by its worst moment. */
export function HealthHistory({ service: { id, created_at: createdAt } }: { readonly service: ServiceData }) {
  const { clock } = useAppServices();
  const created = Date.parse(createdAt);
  const query = useRead(['services', 'history', id], (call, signal) => readHealthHistory(call, id, signal), {
    staleTime: 60_000,
  });
  return (
    <Panel title={text.healthHistory}>
      <Region query={query} what={inSentence(text.healthHistory)} skeleton={<Skeleton rows={1} height={64} />}>
        {({ days, truncated }) => {
          const available = availabilityWords(days, created, clock.now());
          const isNew = days.length > 1 && days[0]?.worst.status === 'unknown';
          return (
            <div className={classes.history}>
              <p>
                {available === null ? (
                  text.noData
                ) : (
                  <strong title={text.notCritical}>{text.available(available)}</strong>
                )}
                {isNew && available !== null ? `. ${text.noDataBefore(dateOf(created))}` : null}
                {truncated ? ` ${text.historyTruncated}` : null}
              </p>
              <ol className={classes.days} aria-label={text.healthByDay}>
                {days.map((day) => (
                  <li
                    key={day.from}
                    className={classes.day}
                    data-status={day.worst.status}
                    title={dayWords(day)}
                    style={{ height: `${day.worst.status === 'unknown' ? 12 : Math.max(12, day.worst.score)}%` }}
                  >
                    <VisuallyHidden>{dayWords(day)}</VisuallyHidden>
                  </li>
                ))}
              </ol>
              <p className={classes.axis} aria-hidden>
                <span>{dateOf(Date.parse(days[0]?.from ?? ''))}</span>
                <span>{text.today}</span>
              </p>
            </div>
          );
        }}
      </Region>
    </Panel>
  );
}
