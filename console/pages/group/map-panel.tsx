import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { CiName } from '#console/facts/ci-name.tsx';
import { Panel } from '#console/frame/panel.tsx';
import { useMay } from '#console/hooks/use-me.ts';
import { GraphCanvas } from '#console/maps/lazy-graph.ts';
import { Legend } from '#console/maps/legend.tsx';
import { MapTree } from '#console/maps/map-tree.tsx';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count, number } from '#console/words/counts.ts';
import classes from './group.module.css';
import { useGraph } from './read/use-group.ts';

const FEW = 60;
const MANY = 250;

interface Props {
  readonly id: string;
  readonly selected: string | null;
  readonly onSelect: (ci: string | null) => void;
}

/** Said below: a large map has no room for names, and the members stand further down. */
function ChosenCi({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <>
      <strong className={classes.hit}>
        <CiName id={id} name={name} />
      </strong>{' '}
      ·{' '}
    </>
  );
}

interface HitProps {
  readonly services: readonly { readonly id: string; readonly name: string }[];
  readonly most: number;
}

/** Services that the cause takes down; the others are named where the pointer rests, and on a larger map. */
function Hit({ services, most }: HitProps) {
  const maySee = useMay('services.read');
  const others = services.slice(most).map(({ name }) => name);
  return (
    <>
      {services.slice(0, most).map(({ id, name }, at) => (
        <span key={id}>
          {at === 0 ? ' · ' : ', '}
          {maySee ? <Link to={`/services/${id}`}>{name}</Link> : name}
        </span>
      ))}
      {others.length === 0 ? null : <span title={others.join(', ')}> and {number(others.length)} more</span>} hit
    </>
  );
}

/** The CIs of the group as they depended on each other when it began: as a map, and as a list. */
export function MapPanel({ id, selected, onSelect }: Props) {
  const [limit, setLimit] = useState(FEW);
  const [isList, setList] = useState(false);
  const [isLarge, setLarge] = useState(false);
  const graph = useGraph(id, limit);
  const actions = (
    <span className={classes.panelActions}>
      <Button variant="subtle" size="compact-xs" aria-pressed={isList} onClick={() => setList(!isList)}>
        {isList ? 'Map' : 'List'}
      </Button>
      <Button variant="subtle" size="compact-xs" aria-pressed={isLarge} onClick={() => setLarge(!isLarge)}>
        {isLarge ? 'Smaller' : 'Larger'}
      </Button>
    </span>
  );
  return (
    <Panel title="Map: from the cause to what fails with it" end={actions} wide={isLarge}>
      <Region query={graph} what="The map" skeleton={<Skeleton rows={6} height={40} />}>
        {({ drawing, services, truncated }) => {
          const { nodes, edges } = drawing;
          if (nodes.length === 0)
            return (
              <Notice title="No CI is known for these events">Import what you have, or let a scan find it.</Notice>
            );
          const cause = nodes.find(({ role }) => role === 'cause')?.id ?? null;
          const chosen = nodes.find((node) => node.id === selected);
          const label = `Map of ${count(nodes.length, 'CI')} and ${count(edges.length, 'relationship')}; the list says the same`;
          return (
            <div className={classes.map} data-large={isLarge || undefined}>
              {isList ? (
                <MapTree drawing={drawing} start={cause} selected={selected} onSelect={onSelect} label={label} />
              ) : (
                <Suspense fallback={<Skeleton rows={6} height={40} />}>
                  <GraphCanvas drawing={drawing} selected={selected} onSelect={onSelect} label={label} />
                </Suspense>
              )}
              <footer className={classes.mapFoot}>
                <span>
                  {chosen === undefined ? null : <ChosenCi id={chosen.id} name={chosen.name} />}
                  {truncated ? `The first ${count(nodes.length, 'CI')} are shown` : count(nodes.length, 'CI')}
                  {services.length === 0 ? null : <Hit services={services} most={isLarge ? services.length : 3} />}
                </span>
                {truncated && limit === FEW ? (
                  <Button variant="subtle" size="compact-xs" onClick={() => setLimit(MANY)}>
                    Show up to {MANY}
                  </Button>
                ) : null}
              </footer>
              {isLarge ? <Legend drawing={drawing} /> : null}
            </div>
          );
        }}
      </Region>
    </Panel>
  );
}
