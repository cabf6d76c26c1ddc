import { Button, Popover } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { Tabs } from '#console/data/tabs.tsx';
import { When } from '#console/facts/when.tsx';
import { useParts } from '#console/hooks/parts.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useTimes, useZonedTimes } from '#console/hooks/use-times.ts';
import { Region } from '#console/states/region.tsx';
import { count } from '#console/words/counts.ts';
import { AsOfField } from './as-of-field.tsx';
import { changeWords, marksOf, REACHES, STEPS, stepOf, timeOf, typedAt, typedText } from './past.ts';
import classes from './topology.module.css';
import { useChanges } from './use-map.ts';

interface Props {
  readonly near: string;
  readonly at: string | null;
  readonly address: Address;
}

/** The map as it was: a slider with a mark for what changed nearby; what is dragged can be typed. */
export function PastBar({ near, at, address }: Props) {
  const { clock } = useParts();
  const { full, when } = useTimes();
  const { zone } = useSettings();
  const { zoneWord } = useZonedTimes();
  const isNarrow = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false }) ?? false;
  // The slider keeps still while it is there.
  const [now] = useState(() => clock.now());
  const [length, setLength] = useState<(typeof REACHES)[number]['value']>('1');
  const reach = REACHES.find(({ value }) => value === length) ?? REACHES[0];
  const changes = useChanges(near, new Date(now - reach.ms).toISOString());
  const found = changes.data?.data ?? [];
  const total = changes.data?.pagination.total ?? 0;
  const [isFolded, setFolded] = useState(true);
  const go = (next: string | null): void => address.change({ at: next }, { replace: true });
  if (isNarrow && isFolded)
    return (
      <div className={classes.past}>
        <Button variant="default" onClick={() => setFolded(false)}>
          As of {at === null ? 'now' : when(at)}
          {total === 0 ? '' : ` · ${count(total, 'change')} nearby`}
        </Button>
      </div>
    );
  return (
    <div className={classes.past}>
      <label className={classes.label} htmlFor="as-of">
        As of
      </label>
      <span className={classes.slider}>
        <input
          id="as-of"
          type="range"
          className={classes.range}
          min={0}
          max={STEPS}
          value={stepOf(at, now, reach)}
          aria-valuetext={at === null ? 'now' : full(at)}
          onChange={({ currentTarget }) => go(timeOf(Number(currentTarget.value), now, reach))}
        />
        <span className={classes.marks} aria-hidden>
          {marksOf(found, now, reach).map(({ left, changes: many }) => (
            <span key={left} className={classes.mark} style={{ left: `${left}%` }} title={count(many, 'change')} />
          ))}
        </span>
      </span>
      <AsOfField
        label={`As of, typed, in ${zoneWord(at === null ? now : Date.parse(at))}`}
        shown={typedText(at, zone)}
        latest={typedText(new Date(now).toISOString(), zone)}
        onTyped={(text) => go(typedAt(text, zone))}
      />
      {at === null ? (
        <span className={classes.now}>now</span>
      ) : (
        <Button variant="subtle" size="compact-xs" onClick={() => go(null)}>
          Back to now
        </Button>
      )}
      <Tabs
        label="How far back"
        value={length}
        tabs={REACHES.map(({ value, words }) => ({ value, words }))}
        onChange={setLength}
      />
      <Popover position="bottom-end" shadow="md" width={380} trapFocus>
        <Popover.Target>
          <Button variant="default" disabled={total === 0}>
            {total === 0 ? 'Nothing changed nearby' : `${count(total, 'change')} nearby`}
          </Button>
        </Popover.Target>
        <Popover.Dropdown p="xs">
          <Region query={changes} what="The changes">
            {({ data }) => (
              <ol className={classes.changes} aria-label="Changes nearby">
                {data.map((change) => (
                  <li key={`${change.id} ${change.revision} ${change.action}`}>
                    <button type="button" className={classes.change} onClick={() => go(beforeOf(change.at))}>
                      <When at={change.at} /> {changeWords(change)}
                      <span className={classes.dim}> · show before</span>
                    </button>
                  </li>
                ))}
                {total > data.length ? <li className={classes.dim}>The latest {data.length} are shown.</li> : null}
              </ol>
            )}
          </Region>
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}

const SECOND_MS = 1_000;
const beforeOf = (at: string): string => new Date(Date.parse(at) - SECOND_MS).toISOString();
