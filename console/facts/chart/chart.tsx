import { lazy, Suspense } from 'react';
import classes from './chart.module.css';
import type { ChartProps } from './chart-props.ts';
import { mendLanguage } from './language.ts';

interface Props extends ChartProps {
  readonly title: string;
  /** The summary of the chart, for people who do not see it or are in a hurry. */
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
