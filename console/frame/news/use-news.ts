import { useEffect, useEffectEvent, useRef } from 'react';
import { type GroupRow, listGroups } from '#console/api/groups.ts';
import { openPace } from '#console/api/live/pace.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLiveStream } from '#console/hooks/live-context.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { count } from '#console/text/counts.ts';
import { groupTitle } from '#console/text/group-text.ts';
import * as text from './texts.ts';

/** Frequencies of the two tones, Hz. */
const TONES = [880, 660] as const;
const TONE_S = 0.14;
const LOUDNESS = 0.12;
/**
 * Time in which no other tab of this browser sounds for the same: in a storm tabs poll once a minute, each at its own
 * time.
 */
const MINE_MS = 61_000;

/** One short sound; nothing where the browser does not allow it yet. */
const play = (): void => {
  const audio = new AudioContext();
  const volume = audio.createGain();
  volume.connect(audio.destination);
  volume.gain.setValueAtTime(LOUDNESS, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + TONES.length * TONE_S);
  for (const [at, hz] of TONES.entries()) {
    const tone = audio.createOscillator();
    tone.frequency.value = hz;
    tone.connect(volume);
    tone.start(audio.currentTime + at * TONE_S);
    tone.stop(audio.currentTime + (at + 1) * TONE_S);
    if (at === TONES.length - 1) tone.onended = () => void audio.close();
  }
};

const held = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, MINE_MS));

/** Sounds once for `what`, in one of the tabs. */
const chime = (what: string): void => {
  if (!('locks' in navigator)) {
    if (!document.hidden) play();
    return;
  }
  void navigator.locks.request(`faultline-chime ${what}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    play();
    await held();
  });
};

/** Number of newest critical groups that are checked. */
const LOOKED_AT = 20;
const MIN_MS = 10_000;

const wordsOf = (fresh: readonly GroupRow[]): string => {
  const title = fresh[0] === undefined ? '' : groupTitle(fresh[0]);
  return fresh.length === 1
    ? text.oneNewCriticalProblem(title)
    : text.including(count(fresh.length, text.newCriticalProblem), title);
};

/** An event that was announced by itself is no news again as the root cause of a group. */
const idsOf = ({ correlationId, rootCauseCandidate }: GroupRow): string[] => [
  correlationId,
  ...(rootCauseCandidate === null ? [] : [rootCauseCandidate.eventId]),
];

/** Announces new critical groups, and events in none, also while the page is hidden; with an optional sound. */
export const useNews = (): void => {
  const live = useLiveStream();
  const { call, clock, announcer } = useAppServices();
  const { sound } = useSettings();
  const may = useMay('events.read');
  const known = useRef<ReadonlySet<string> | null>(null);

  const look = useEffectEvent(async (): Promise<void> => {
    const asked = {
      include: 'single',
      severity: 'critical',
      status: 'active',
      sortBy: 'first',
      limit: LOOKED_AT,
      view: 'row',
    };
    const { groups } = await listGroups(call, asked);
    const before = known.current;
    known.current = new Set([...(before ?? []), ...groups.flatMap(idsOf)]);
    const fresh = before === null ? [] : groups.filter((group) => !idsOf(group).some((id) => before.has(id)));
    if (fresh.length === 0) return;
    announcer.announce('critical', wordsOf(fresh));
    if (sound) for (const { correlationId } of fresh.slice(0, 1)) chime(correlationId);
  });

  useEffect(() => {
    if (!may) return undefined;
    const pace = openPace(MIN_MS, 6 * MIN_MS);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const go = (): void => {
      pace.reads(clock.now());
      // The next change looks again.
      look().catch(() => undefined);
    };
    look().catch(() => undefined);
    const changed = (): void => {
      const wait = pace.changed(clock.now());
      if (wait !== null) timer = setTimeout(go, wait);
    };
    const ends = [live.on('groups', changed), live.on('events', changed)];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [live, clock, may]);
};
