import { lazy, Suspense } from 'react';
import classes from './chart.module.css';
import type { ChartProps } from './chart-props.ts';

const isTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
};

/**
 * A browser without a system locale reports its language as `en-US@posix`, which is invalid: the charts would fail
 * while they load.
 */
const mendLanguage = (): void => {
  if (!isTag(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
};

interface Props extends ChartProps {
  readonly title: string;
  /** The text summary of the chart, also for screen readers. */
  readonly said: string;
}

const TimeChart = lazy(async () => {
  mendLanguage();
  return { default: (await import('./time-chart.tsx')).TimeChart };
});

/** A line over time; the library is loaded with the first one. */
export function Chart({ title, said, ...drawn }: Props) {
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.head}>
        <span className={classes.title}>{title}</span>
        <span className={classes.said}>{said}</span>
      </figcaption>
      <div role="img" aria-label={`${title}: ${said}`} className={classes.place}>
        <Suspense fallback={null}>
          <TimeChart {...drawn} />
        </Suspense>
      </div>
    </figure>
  );
}
