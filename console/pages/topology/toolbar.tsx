import { Button, NumberInput } from '@mantine/core';
import { CiPicker } from '#console/cis/ci-picker.tsx';
import { IgnoredFilters } from '#console/data/ignored-filters.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { Icon } from '#console/facts/icon.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import { DIRECTIONS, MAP_KNOWN, type MapDirection, type MapQuestion, MODES, MOST_HOPS, type Mode } from './asked.ts';
import classes from './topology.module.css';
import { TypesMenu } from './types-menu.tsx';

const MODE_WORDS: Readonly<Record<Mode, string>> = { around: 'Around', impact: 'What fails', way: 'Way to' };
const DIRECTION_WORDS: Readonly<Record<MapDirection, string>> = {
  both: 'both ways',
  up: 'what it needs',
  down: 'what needs it',
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
        Hops
      </label>
      <input
        id="hops"
        type="range"
        className={classes.range}
        min={1}
        max={MOST_HOPS}
        value={asked.hops}
        onChange={({ currentTarget }) => set(Number(currentTarget.value))}
      />
      <NumberInput
        size="xs"
        aria-label="Hops, typed"
        className={classes.hopsTyped ?? ''}
        min={1}
        max={MOST_HOPS}
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
          aria-label={`Without ${names.get(id) ?? 'this CI'}`}
          onClick={() => set(asked.cis.filter((one) => one !== id))}
        >
          {names.get(id) ?? '…'}
        </Button>
      ))}
      <CiPicker
        label="And with it"
        hasLabel={false}
        placeholder="and with it…"
        className={classes.picker}
        picked={null}
        onPick={({ id }) => set([...new Set([...asked.cis, id])])}
      />
    </>
  );
}

/** The subject of the map. */
export function Toolbar({ asked, names, drawn, address }: Props) {
  const [first] = asked.cis;
  const pickedOf = (id: string | null | undefined) => (id == null ? null : { id, name: names.get(id) ?? '…' });
  return (
    <div className={classes.toolbar}>
      <CiPicker
        label="CI"
        hasLabel={false}
        className={classes.picker}
        picked={pickedOf(first)}
        onPick={({ id }) => address.change({ ci: id, more: null })}
      />
      <Tabs
        label="What the map shows"
        value={asked.mode}
        tabs={MODES.map((value) => ({ value, words: MODE_WORDS[value] }))}
        onChange={(mode) => address.change({ mode, more: null, ...(mode !== 'impact' && first ? { ci: first } : {}) })}
      />
      {asked.mode === 'impact' && first !== undefined ? <Others asked={asked} names={names} address={address} /> : null}
      {asked.mode === 'way' ? (
        <CiPicker
          label="To"
          hasLabel={false}
          placeholder="to…"
          className={classes.picker}
          picked={pickedOf(asked.to)}
          onPick={({ id }) => address.change({ to: id })}
        />
      ) : null}
      {asked.mode === 'around' ? <Hops asked={asked} address={address} /> : null}
      {asked.mode === 'impact' ? null : (
        <Tabs
          label="Along which relationships"
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
