import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { typeWords } from '#console/cis/ci-words.ts';
import { PageLink } from '#console/cis/page-link.tsx';
import { StateMark } from '#console/cis/state-mark.tsx';
import { useStates } from '#console/cis/use-states.ts';
import { copyText } from '#console/components/copy.ts';
import { showToast } from '#console/frame/toasts.tsx';
import type { Address } from '#console/hooks/use-address.ts';
import type { DrawnNode } from '#console/maps/drawn.ts';
import { GraphCanvas } from '#console/maps/lazy-graph.ts';
import { Legend } from '#console/maps/legend.tsx';
import { MapTree } from '#console/maps/map-tree.tsx';
import { useSlot } from '#console/slots/feature.ts';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/text/counts.ts';
import { FEW, MANY, type MapQuestion } from './asked.ts';
import { coloured, type Edge, openEventsOf, withProposed } from './drawings.ts';
import * as texts from './texts.ts';
import classes from './topology.module.css';
import type { Map as Found } from './use-map.ts';

interface SelectedCiProps {
  readonly node: DrawnNode;
  readonly start: string | null;
  readonly asked: MapQuestion;
  readonly address: Address;
}

/** The CI that is selected, and where one can go from it. */
function SelectedCi({ node, start, asked, address }: SelectedCiProps) {
  const { id, name, type, worst, open, acknowledged, saved } = node;
  const isStart = id === start;
  return (
    <section className={classes.selected} aria-label={texts.selected(name)}>
      <span className={classes.selectedName}>
        <Link to={`/cis/${id}`}>{name}</Link>
        <StateMark state={{ worst, open, acknowledged }} />
      </span>
      <span className={classes.dim}>
        {typeWords(type)}
        {saved === undefined ? '' : texts.protectedByRedundancy(saved)}
        {node.role === 'impacted' ? ` ${texts.impactedNoEventsYet}` : ''}
      </span>
      <span className={classes.selectedWays}>
        {isStart ? null : (
          <>
            <Button
              variant="subtle"
              size="compact-xs"
              onClick={() => address.change({ ci: id, mode: 'around', more: null })}
            >
              {texts.viewTopology}
            </Button>
            <Button variant="subtle" size="compact-xs" onClick={() => address.change({ to: id, mode: 'way' })}>
              {texts.viewPath}
            </Button>
          </>
        )}
        {isStart && asked.mode === 'impact' ? null : (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => address.change({ ci: id, mode: 'impact', more: null })}
          >
            {texts.viewImpact}
          </Button>
        )}
        {open === 0 ? null : (
          <Button variant="subtle" size="compact-xs" component={PageLink} to={`/events?ciId=${id}`}>
            {texts.viewEvents}
          </Button>
        )}
      </span>
    </section>
  );
}

interface Props {
  readonly found: Found;
  readonly asked: MapQuestion;
  readonly address: Address;
  readonly selected: string | null;
  readonly onSelect: (id: string | null) => void;
}

/** Explains why not all is drawn, with a link to the rest. */
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
        {texts.nearest(shown)}
        <Button variant="subtle" size="compact-xs" onClick={() => address.change({ more: '1' })}>
          {texts.showUpTo(MANY)}
        </Button>
      </>
    );
  return texts.nearestOnly(shown);
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
  const label = texts.mapAlsoAvailableAs(
    count(drawing.nodes.length, 'CI'),
    count(drawing.edges.length, 'relationship'),
  );
  const copy = async (): Promise<void> => {
    const list = drawing.nodes.map(({ name, type }) => `- ${name} (${type.replaceAll('_', ' ')})`).join('\n');
    const hit = found.services.map(({ name, impact }) => `; ${name}: ${impact}`).join('');
    if (await copyText(`${found.words}${hit}\n\n${list}\n\n${location.href}\n`)) showToast({ text: texts.copied });
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
              {texts.openEventsOn(count(openEvents.cis, 'CI'))}
            </Button>
          )}
          <Button variant="subtle" size="compact-xs" onClick={() => void copy()}>
            {texts.copy}
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
          <MapTree drawing={drawing} start={start} selected={current} onSelect={onSelect} label={texts.mapAsList} />
        </div>
      </div>
    </div>
  );
}
