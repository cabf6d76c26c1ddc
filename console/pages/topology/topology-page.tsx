import { Button, NumberInput, Popover } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { listGroups } from '#console/api/groups.ts';
import { CiPicker } from '#console/cis/ci-picker.tsx';
import { useNamed } from '#console/cis/use-named.ts';
import { Icon } from '#console/components/icon.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { IgnoredFilters } from '#console/data/ignored-filters.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { Page } from '#console/frame/page.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { type Address, useAddress } from '#console/hooks/use-address.ts';
import { useMay, useMe } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useTimes, useZonedTimes } from '#console/hooks/use-times.ts';
import { useSlot } from '#console/slots/feature.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/text/counts.ts';
import {
  askedMap,
  DIRECTIONS,
  MAP_KNOWN,
  MAX_HOPS,
  type MapDirection,
  type MapQuestion,
  MODES,
  type Mode,
} from './asked.ts';
import { MapView } from './map-view.tsx';
import { changeWords, marksOf, REACHES, STEPS, stepOf, timeOf, typedAt, typedText } from './past.ts';
import * as texts from './texts.ts';
import classes from './topology.module.css';
import { TypesMenu } from './types-menu.tsx';
import { useChanges, useMap } from './use-map.ts';

interface AsOfFieldProps {
  readonly label: string;
  readonly shown: string;
  readonly latest: string;
  /** Given an empty text, the map is as of now. */
  readonly onTyped: (text: string) => void;
}

/** While a year is typed it reads 0002, 0020 and 0202. */
const EARLIEST = '2000';
const isWhole = (text: string): boolean => text.length >= EARLIEST.length && text >= EARLIEST;

/**
 * A time that can be typed part by part: the address is updated once it is complete, and never changes the typed text.
 */
function AsOfField({ label, shown, latest, onTyped }: AsOfFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const field = input.current;
    if (field !== null && field.value !== shown && document.activeElement !== field) field.value = shown;
  }, [shown]);
  const settle = (field: HTMLInputElement): void => {
    if (field.value === shown && !field.validity.badInput) return;
    const isEmptied = field.value === '' && !field.validity.badInput;
    if (isEmptied || isWhole(field.value)) onTyped(field.value);
    else field.value = shown;
  };
  return (
    <input
      ref={input}
      type="datetime-local"
      className={classes.when}
      aria-label={label}
      defaultValue={shown}
      max={latest}
      onChange={({ currentTarget }) => isWhole(currentTarget.value) && onTyped(currentTarget.value)}
      onBlur={({ currentTarget }) => settle(currentTarget)}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && settle(currentTarget)}
    />
  );
}

interface PastBarProps {
  readonly near: string;
  readonly at: string | null;
  readonly address: Address;
}

/** The map of the past: a slider with marks for changes nearby; its value can also be typed. */
function PastBar({ near, at, address }: PastBarProps) {
  const { clock } = useAppServices();
  const { full, when } = useTimes();
  const { zone } = useSettings();
  const { zoneWord } = useZonedTimes();
  const isNarrow = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false }) ?? false;
  // The range of the slider stays constant while it is shown.
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
          {texts.asOf(at === null ? texts.now : when(at))}
          {total === 0 ? '' : ` · ${count(total, 'change')} nearby`}
        </Button>
      </div>
    );
  return (
    <div className={classes.past}>
      <label className={classes.label} htmlFor="as-of">
        {texts.asOfLabel}
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
        label={texts.asOfTimeIn(zoneWord(at === null ? now : Date.parse(at)))}
        shown={typedText(at, zone)}
        latest={typedText(new Date(now).toISOString(), zone)}
        onTyped={(text) => go(typedAt(text, zone))}
      />
      {at === null ? (
        <span className={classes.now}>{texts.now}</span>
      ) : (
        <Button variant="subtle" size="compact-xs" onClick={() => go(null)}>
          {texts.backToNow}
        </Button>
      )}
      <Tabs
        label={texts.timeRange}
        value={length}
        tabs={REACHES.map(({ value, words }) => ({ value, words }))}
        onChange={setLength}
      />
      <Popover position="bottom-end" shadow="md" width={380} trapFocus>
        <Popover.Target>
          <Button variant="default" disabled={total === 0}>
            {total === 0 ? texts.noChangesNearby : texts.nearby(count(total, 'change'))}
          </Button>
        </Popover.Target>
        <Popover.Dropdown p="xs">
          <Region query={changes} what={texts.changes}>
            {({ data }) => (
              <ol className={classes.changes} aria-label={texts.changesNearby}>
                {data.map((change) => (
                  <li key={`${change.id} ${change.revision} ${change.action}`}>
                    <button type="button" className={classes.change} onClick={() => go(beforeOf(change.at))}>
                      <Timestamp at={change.at} /> {changeWords(change)}
                      <span className={classes.dim}> {texts.viewBefore}</span>
                    </button>
                  </li>
                ))}
                {total > data.length ? <li className={classes.dim}>{texts.latest(data.length)}</li> : null}
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

const MODE_WORDS: Readonly<Record<Mode, string>> = { around: texts.neighbors, impact: texts.impact, way: texts.path };
const DIRECTION_WORDS: Readonly<Record<MapDirection, string>> = {
  both: texts.both,
  up: texts.upstream,
  down: texts.downstream,
};

interface Props {
  readonly asked: MapQuestion;
  readonly names: ReadonlyMap<string, string>;
  /** Kinds of relationships on the map. */
  readonly drawn: ReadonlySet<string>;
  readonly address: Address;
}

function Hops({ asked, address }: Pick<Props, 'asked' | 'address'>) {
  const set = (hops: number): void => address.change({ hops: String(hops) }, { replace: true });
  return (
    <span className={classes.hops}>
      <label className={classes.label} htmlFor="hops">
        {texts.hops}
      </label>
      <input
        id="hops"
        type="range"
        className={classes.range}
        min={1}
        max={MAX_HOPS}
        value={asked.hops}
        onChange={({ currentTarget }) => set(Number(currentTarget.value))}
      />
      <NumberInput
        size="xs"
        aria-label={texts.hops}
        className={classes.hopsTyped ?? ''}
        min={1}
        max={MAX_HOPS}
        hideControls
        value={asked.hops}
        onChange={(value) => typeof value === 'number' && set(value)}
      />
    </span>
  );
}

/** CIs that fail together, beside the first. */
function Others({ asked, names, address }: Omit<Props, 'drawn'>) {
  const set = (cis: readonly string[]): void => address.change({ ci: cis.join(',') });
  return (
    <>
      {asked.cis.slice(1).map((id) => (
        <Button
          key={id}
          variant="default"
          rightSection={<Icon name="close" size={12} />}
          aria-label={texts.remove(names.get(id) ?? texts.thisCi)}
          onClick={() => set(asked.cis.filter((one) => one !== id))}
        >
          {names.get(id) ?? '…'}
        </Button>
      ))}
      <CiPicker
        label={texts.alsoFailing}
        hasLabel={false}
        placeholder={texts.addCi}
        className={classes.picker}
        picked={null}
        onPick={({ id }) => set([...new Set([...asked.cis, id])])}
      />
    </>
  );
}

/** The subject of the map. */
function Toolbar({ asked, names, drawn, address }: Props) {
  const [first] = asked.cis;
  const pickedOf = (id: string | null | undefined) => (id == null ? null : { id, name: names.get(id) ?? '…' });
  return (
    <div className={classes.toolbar}>
      <CiPicker
        label={texts.ci}
        hasLabel={false}
        className={classes.picker}
        picked={pickedOf(first)}
        onPick={({ id }) => address.change({ ci: id, more: null })}
      />
      <Tabs
        label={texts.mapType}
        value={asked.mode}
        tabs={MODES.map((value) => ({ value, words: MODE_WORDS[value] }))}
        onChange={(mode) => address.change({ mode, more: null, ...(mode !== 'impact' && first ? { ci: first } : {}) })}
      />
      {asked.mode === 'impact' && first !== undefined ? <Others asked={asked} names={names} address={address} /> : null}
      {asked.mode === 'way' ? (
        <CiPicker
          label={texts.to}
          hasLabel={false}
          placeholder={texts.toHint}
          className={classes.picker}
          picked={pickedOf(asked.to)}
          onPick={({ id }) => address.change({ to: id })}
        />
      ) : null}
      {asked.mode === 'around' ? <Hops asked={asked} address={address} /> : null}
      {asked.mode === 'impact' ? null : (
        <Tabs
          label={texts.direction}
          value={asked.direction}
          tabs={DIRECTIONS.map((value) => ({ value, words: DIRECTION_WORDS[value] }))}
          onChange={(direction) => address.change({ direction })}
        />
      )}
      <IgnoredFilters filters={[]} address={address} known={MAP_KNOWN} />
      <TypesMenu types={asked.types} isOfFaults={asked.mode === 'impact'} drawn={drawn} address={address} />
    </div>
  );
}

const OFFERED = 5;

/** Nothing is selected yet: suggests the causes of current groups. */
function Start({ address }: { readonly address: Address }) {
  const { empty } = useMe();
  const groups = useRead(
    ['groups', 'causes', OFFERED],
    (call, signal) => listGroups(call, { status: 'active', limit: 20 }, signal),
    { enabled: useMay('events.read') },
  );
  const starts = useSlot('mapStarts');
  const causes = new Map(
    (groups.data?.groups ?? []).flatMap(({ rootCause, causeByParts: whole }) => {
      if (whole !== null) return [[whole.id, whole.name] as const];
      return rootCause?.ciId === undefined ? [] : [[rootCause.ciId._id, rootCause.ciId.name] as const];
    }),
  );
  if (empty.cis)
    return (
      <Notice title={texts.noCisYet} ways={<Link to="/import">{texts.importCis}</Link>}>
        {texts.importCisRelationshipsSee}
      </Notice>
    );
  return (
    <>
      <Notice
        title={texts.selectCiStart}
        ways={[...causes].slice(0, OFFERED).map(([id, name]) => (
          <Button key={id} variant="default" onClick={() => address.change({ ci: id })}>
            {name}
          </Button>
        ))}
      >
        {texts.searchAbove}
        {causes.size > 0 ? texts.startFromCurrentRoot : '.'}
      </Notice>
      {starts.map(({ id, Part }) => (
        <Part key={id} />
      ))}
    </>
  );
}

/** Neighborhood and impact of CIs, and the path between two. */
export function TopologyPage() {
  const address = useAddress();
  const asked = askedMap(address.query);
  const { map, isReady } = useMap(asked);
  const named = useNamed([...asked.cis, ...(asked.to === null ? [] : [asked.to])]);
  const select = (id: string | null): void => address.change({ chosen: id }, { replace: true });
  const names = new Map((named.data ?? []).map(({ _id, name }) => [_id, name]));
  const drawn = new Set(map.data?.drawing.edges.map(({ type }) => type));
  return (
    <Page title={texts.topology}>
      <Toolbar asked={asked} names={names} drawn={drawn} address={address} />
      {asked.cis[0] === undefined ? null : <PastBar near={asked.cis[0]} at={asked.at} address={address} />}
      <div className={classes.place}>
        {asked.cis.length === 0 ? (
          <Start address={address} />
        ) : !isReady ? (
          <Notice title={texts.selectATargetCi}>{texts.searchAboveSelectOne}</Notice>
        ) : (
          <Region query={map} what={texts.map} skeleton={<Skeleton rows={10} height={48} />}>
            {(found) => (
              <MapView
                found={found}
                asked={asked}
                address={address}
                selected={address.query.chosen ?? null}
                onSelect={select}
              />
            )}
          </Region>
        )}
      </div>
    </Page>
  );
}
