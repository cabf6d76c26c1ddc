import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { PageLink } from '#console/cis/page-link.tsx';
import { useStates } from '#console/cis/use-states.ts';
import { copyText } from '#console/facts/copy.ts';
import { say } from '#console/frame/toasts.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import { GraphCanvas } from '#console/maps/lazy-graph.ts';
import { Legend } from '#console/maps/legend.tsx';
import { MapTree } from '#console/maps/map-tree.tsx';
import { useSlot } from '#console/slots/feature.ts';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/words/counts.ts';
import { FEW, MANY, type MapQuestion } from './asked.ts';
import { coloured, type Edge, openEventsOf, withProposed } from './drawings.ts';
import { SelectedCi } from './selected-ci.tsx';
import classes from './topology.module.css';
import type { Map as Found } from './use-map.ts';

interface Props {
  readonly found: Found;
  readonly asked: MapQuestion;
  readonly address: Address;
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
}

/** Why not all is drawn, and the way to the rest. */
function Cut({
  asked,
  shown,
  address,
}: {
  readonly asked: MapQuestion;
  readonly shown: number;
  readonly address: Address;
}) {
  if (asked.limit === FEW)
    return (
      <>
        the nearest {shown} are shown
        <Button variant="subtle" size="compact-xs" onClick={() => address.change({ more: '1' })}>
          Show up to {MANY}
        </Button>
      </>
    );
  return (
    <>the nearest {shown} are shown; with one direction, fewer hops, or another CI in the middle come the others</>
  );
}

/** The map and, beside it, the same as a list. */
export function MapView({ found, asked, address, selected, onSelect }: Props) {
  const states = useStates(found.drawing.nodes.map(({ id }) => id));
  const parts = useSlot('mapParts');
  const [proposed, setProposed] = useState<Readonly<Record<string, readonly Edge[]>>>({});
  const [proposal, setProposal] = useState<string | null>(null);
  const drawing = useMemo(
    () => withProposed(coloured(found.drawing, states), Object.values(proposed).flat()),
    [found.drawing, states, proposed],
  );
  const drawn = new Set(drawing.edges.map((edge) => edge.proposal));
  const start = asked.cis[0] ?? null;
  const current = selected !== null && drawing.nodes.some(({ id }) => id === selected) ? selected : start;
  const node = drawing.nodes.find(({ id }) => id === current);
  const openEvents = openEventsOf(drawing);
  const label = `Map of ${count(drawing.nodes.length, 'CI')} and ${count(drawing.edges.length, 'relationship')}; the list says the same`;
  const copy = async (): Promise<void> => {
    const list = drawing.nodes.map(({ name, type }) => `- ${name} (${type.replaceAll('_', ' ')})`).join('\n');
    const hit = found.services.map(({ name, impact }) => `; ${name}: ${impact}`).join('');
    if (await copyText(`${found.words}${hit}\n\n${list}\n\n${location.href}\n`)) say({ text: 'Copied' });
  };
  return (
    <div className={classes.map}>
      <p className={classes.summary} role="status">
        <strong>{found.words}</strong>
        {found.services.map(({ id, name, impact }) => (
          <span key={id}>
            <Link to={`/services/${id}`}>{name}</Link>: {impact}
          </span>
        ))}
        {found.isCut ? (
          <span className={classes.cut}>
            <Cut asked={asked} shown={drawing.nodes.length} address={address} />
          </span>
        ) : null}
        <span className={classes.ways}>
          {openEvents === null ? null : (
            <Button variant="subtle" size="compact-xs" component={PageLink} to={openEvents.to}>
              Open events of {count(openEvents.cis, 'CI')}
            </Button>
          )}
          <Button variant="subtle" size="compact-xs" onClick={() => void copy()}>
            Copy
          </Button>
        </span>
      </p>
      <div className={classes.twins}>
        <div className={classes.canvas}>
          <Suspense fallback={<Skeleton rows={8} height={48} />}>
            <GraphCanvas
              drawing={drawing}
              selected={current}
              onSelect={onSelect}
              onProposal={setProposal}
              label={label}
            />
          </Suspense>
          <Legend drawing={drawing} />
        </div>
        <div className={classes.list} data-keys>
          {node === undefined ? null : <SelectedCi node={node} start={start} asked={asked} address={address} />}
          {parts.map(({ id, Part }) => (
            <Part
              key={id}
              isNow={asked.at === null}
              drawn={drawn}
              selected={proposal}
              onSelect={setProposal}
              propose={(edges) => setProposed((known) => ({ ...known, [id]: edges }))}
            />
          ))}
          <MapTree drawing={drawing} start={start} selected={current} onSelect={onSelect} label="The map as a list" />
        </div>
      </div>
    </div>
  );
}
