import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { GroupDetailData } from '#console/api/groups.ts';
import { CiName } from '#console/components/ci-name.tsx';
import { Panel } from '#console/frame/panel.tsx';
import { useMay } from '#console/hooks/use-me.ts';
import { GraphCanvas } from '#console/maps/lazy-graph.ts';
import { LegendFold } from '#console/maps/legend.tsx';
import { MapTree } from '#console/maps/map-tree.tsx';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count, number } from '#console/text/counts.ts';
import classes from './group.module.css';
import { useGraph } from './read/use-group.ts';
import * as text from './texts.ts';

/** CIs that are read; the map folds them. */
const MOST = 1_000;

interface Props {
  readonly group: Pick<GroupDetailData, 'correlationId' | 'impactedServices'>;
  readonly selected: string | null;
  readonly onSelect: (ci: string | null) => void;
}

/** Shown below: a large map has no room for names, and the members are further down. */
function SelectedCi({ id, name }: { readonly id: string; readonly name: string }) {
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

/** Services affected by the group, as in its header; further ones are in the tooltip, and on a larger map. */
function Hit({ services, most }: HitProps) {
  const maySee = useMay('services.read');
  const others = services.slice(most).map(({ name }) => name);
  return (
    <>
      {services.slice(0, most).map(({ id, name }, at) => (
        <span key={id}>
          {at === 0 ? ` ${text.affects} ` : ', '}
          {maySee ? <Link to={`/services/${id}`}>{name}</Link> : name}
        </span>
      ))}
      {others.length === 0 ? null : <span title={others.join(', ')}> {text.andMore(number(others.length))}</span>}
    </>
  );
}

/** The CIs of the group as they depended on each other when it began: as a map, and as a list. */
export function MapPanel({ group, selected, onSelect }: Props) {
  const { correlationId: id, impactedServices: services } = group;
  const [isList, setList] = useState(false);
  const [isLarge, setLarge] = useState(false);
  const graph = useGraph(id, MOST);
  const actions = (
    <span className={classes.panelActions}>
      <Button variant="subtle" size="compact-xs" aria-pressed={isList} onClick={() => setList(!isList)}>
        {isList ? text.map : text.list}
      </Button>
      <Button variant="subtle" size="compact-xs" aria-pressed={isLarge} onClick={() => setLarge(!isLarge)}>
        {isLarge ? text.collapse : text.expand}
      </Button>
    </span>
  );
  return (
    <Panel title={text.impactMap} end={actions}>
      <Region query={graph} what={text.graph} skeleton={<Skeleton rows={6} height={40} />}>
        {({ drawing, truncated }) => {
          const { nodes, edges } = drawing;
          if (nodes.length === 0) return <Notice title={text.noCisBoundThese}>{text.importCisSetUp}</Notice>;
          const cause = nodes.find(({ role }) => role === 'cause')?.id ?? null;
          const chosen = nodes.find((node) => node.id === selected);
          const label = text.mapAlsoAvailableAs(count(nodes.length, 'CI'), count(edges.length, 'relationship'));
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
                  {chosen === undefined ? null : <SelectedCi id={chosen.id} name={chosen.name} />}
                  {truncated ? text.showingTheFirst(count(nodes.length, 'CI')) : count(nodes.length, 'CI')}
                  {services.length === 0 ? null : <Hit services={services} most={isLarge ? services.length : 3} />}
                </span>
              </footer>
              <LegendFold drawing={drawing} isOpen={isLarge} />
            </div>
          );
        }}
      </Region>
    </Panel>
  );
}
