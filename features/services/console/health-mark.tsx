import type { ServiceData } from './api.ts';
import classes from './health-mark.module.css';
import * as text from './texts.ts';

type Health = ServiceData['health']['status'];

export const HEALTH_WORDS: Readonly<Record<Health, string>> = {
  healthy: text.healthy,
  degraded: text.degraded,
  critical: text.critical,
  unknown: text.unknown,
};
/** Paths in a box of 12 by 12: tick, triangle, square, ring. */
const SHAPES: Readonly<Record<Health, string>> = {
  critical: 'M1 1h10v10H1z',
  degraded: 'M6 .5 11.8 11H.2z',
  healthy: 'M1 6.5 2.6 5l2.2 2.3L9.6 2 11 3.4 4.9 10z',
  unknown: 'M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1zm0 2a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
};

/** State of a service: shape, word and color agree. */
export function HealthMark({ status }: { readonly status: Health }) {
  return (
    <span className={classes.health} data-status={status}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden focusable="false">
        <path d={SHAPES[status]} />
      </svg>
      {HEALTH_WORDS[status]}
    </span>
  );
}
