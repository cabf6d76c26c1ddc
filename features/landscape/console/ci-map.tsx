import { Link } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { typeWords } from '#console/cis/ci-words.ts';
import { PageLink } from '#console/cis/page-link.tsx';
import { StateMark } from '#console/cis/state-mark.tsx';
import { useStates } from '#console/cis/use-states.ts';
import type { Drawing } from '#console/maps/drawn.ts';
import { GraphCanvas } from '#console/maps/lazy-graph.ts';
import { Legend } from '#console/maps/legend.tsx';
import { MapTree } from '#console/maps/map-tree.tsx';
import { coloured, plainNode } from '#console/pages/topology/drawings.ts';
import map from '#console/pages/topology/topology.module.css';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/text/counts.ts';
import type { LandscapeData } from './api.ts';
import * as text from './texts.ts';

const drawnOf = ({ nodes, edges }: NonNullable<LandscapeData['map']>): Drawing => ({
  nodes: nodes.map((node) => plainNode(node)),
  edges: edges.map(({ discovered_by_ai: isFromAi, ...ends }) => ({ ...ends, isFromAi })),
});

interface Props {
  readonly found: NonNullable<LandscapeData['map']>;
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
}

/** Few CIs with their relationships. */
export function CiMap({ found, selected, onSelect }: Props) {
  const plain = useMemo(() => drawnOf(found), [found]);
  const states = useStates(plain.nodes.map(({ id }) => id));
  const drawing = useMemo(() => coloured(plain, states), [plain, states]);
  const node = drawing.nodes.find(({ id }) => id === selected);
  const label = text.mapOf(count(drawing.nodes.length, 'CI'), count(drawing.edges.length, 'relationship'));
  return (
    <div className={map.place}>
      <div className={map.twins}>
        <div className={map.canvas}>
          <Suspense fallback={<Skeleton rows={8} height={48} />}>
            <GraphCanvas drawing={drawing} selected={selected} onSelect={onSelect} label={label} />
          </Suspense>
          <Legend drawing={drawing} />
        </div>
        <div className={map.list} data-keys>
          {node === undefined ? null : (
            <section className={map.selected} aria-label={node.name}>
              <span className={map.selectedName}>
                <Link to={`/cis/${node.id}`}>{node.name}</Link>
                <StateMark state={node} />
              </span>
              <span className={map.dim}>{typeWords(node.type)}</span>
              <PageLink to={`/topology?ci=${node.id}`}>{text.viewTopology}</PageLink>
            </section>
          )}
          <MapTree drawing={drawing} start={null} selected={selected} onSelect={onSelect} label={text.mapAsList} />
        </div>
      </div>
    </div>
  );
}
