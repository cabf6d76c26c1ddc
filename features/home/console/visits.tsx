import { useEffect, useEffectEvent, useState } from 'react';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { readVisits, type Visits, visitedAt } from './visit.ts';

const useStored = () => {
  const { clock } = useAppServices();
  const key = `faultline.visits.${useMe().user._id}`;
  return { key, visits: () => visitedAt(readVisits(localStorage.getItem(key)), clock.now()), now: () => clock.now() };
};

/** The visits of the user in this browser, as they were when the page was opened. */
export const useVisits = (): Visits => useState(useStored().visits)[0];

const NOTED_MS = 60_000;
const ACTIVITIES = ['pointerdown', 'keydown', 'pagehide', 'visibilitychange'] as const;

/** Notes when the user was active. */
export function VisitWatch() {
  const { key, visits, now } = useStored();
  const note = useEffectEvent((last: number): number => {
    if (now() - last < NOTED_MS) return last;
    localStorage.setItem(key, JSON.stringify(visits()));
    return now();
  });
  useEffect(() => {
    let last = note(0);
    const active = (): void => {
      last = note(last);
    };
    for (const activity of ACTIVITIES) window.addEventListener(activity, active, { passive: true });
    return () => {
      for (const activity of ACTIVITIES) window.removeEventListener(activity, active);
    };
  }, []);
  return null;
}
