import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Panel } from '#console/frame/panel.tsx';
import { Legend } from '#console/maps/legend.tsx';
import { MapTree } from '#console/maps/map-tree.tsx';
import { loadedPart } from '#console/states/loaded-part.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count, names } from '#console/words/counts.ts';
import classes from './group.module.css';
import { useGraph } from './read/use-group.ts';

const GraphCanvas = lazy(async () => {
  const { GraphCanvas: component } = await loadedPart(() => import('#console/maps/graph-canvas.tsx'));
  return { default: component };
});

const FEW = 60;
const MANY = 250;

interface Props {
  readonly id: string;
  readonly selected: string | null;
  readonly onSelect: (ci: string | null) => void;
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
                  {truncated ? `The first ${count(nodes.length, 'CI')} are shown` : count(nodes.length, 'CI')}
                  {services.length === 0
                    ? ''
                    : ` · ${names(
                        services.map(({ name }) => name),
                        services.length,
                        3,
                      )} hit`}
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
