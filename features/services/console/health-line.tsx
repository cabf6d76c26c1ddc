import { useTimes } from '#console/hooks/use-times.ts';
import type { ServiceTrendData } from './api.ts';
import classes from './services.module.css';
import * as text from './texts.ts';
import { lineOf, lowestOf } from './trend.ts';

/** The score of a service in the last 24 hours, from 0 at the bottom to 100. */
export function HealthLine({ trend }: { readonly trend: ServiceTrendData | undefined }) {
  const { dated } = useTimes();
  // Lines are read after the services; their place is reserved.
  if (trend === undefined || trend.scores.length === 0) return <span className={classes.line} />;
  const { score, at } = lowestOf(trend);
  const words = score === 100 ? text.trendFull : text.trendLowest(score, dated(at));
  return (
    <svg className={classes.line} viewBox="0 0 96 24" preserveAspectRatio="none" role="img" aria-label={words}>
      <title>{words}</title>
      <path d={lineOf(trend.scores, 96, 24)} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
