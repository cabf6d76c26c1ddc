import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import type { CiRow, States } from '#console/api/cmdb/cmdb.ts';
import { Nothing } from '#console/cis/panels.tsx';
import { Panel } from '#console/frame/panel.tsx';
import { GraphCanvas } from '#console/maps/lazy-graph.ts';
import { MapTree } from '#console/maps/map-tree.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import type { ServiceDependencies, ServiceShown } from './api.ts';
import { drawnService } from './drawn-service.ts';
import classes from './service.module.css';

interface Props {
  readonly service: ServiceShown;
  readonly cis: readonly CiRow[];
  readonly states: States;
  readonly needs: ServiceDependencies | undefined;
}

/** The service between what it needs and what needs it: as a map, and as a list. */
export function ServiceMap({ service, cis, states, needs }: Props) {
  const navigate = useNavigate();
  const [isList, setList] = useState(false);
  const drawing = useMemo(() => drawnService(service, cis, states, needs), [service, cis, states, needs]);
  const open = (id: string | null): void => {
    if (id === null || id === service.id) return;
    const isCi = cis.some(({ _id }) => _id === id);
    void navigate({ to: isCi ? `/cis/${id}` : `/services/${id}` });
  };
  const label = `Map of ${service.name}; the list says the same`;
  const end = (
    <Button variant="subtle" size="compact-xs" aria-pressed={isList} onClick={() => setList(!isList)}>
      {isList ? 'Map' : 'List'}
    </Button>
  );
  return (
    <Panel title="Map" end={end}>
      {drawing.nodes.length < 2 ? (
        <Nothing>Nothing to draw: it has no components and no other service is near.</Nothing>
      ) : (
        <div className={classes.map}>
          {isList ? (
            <MapTree drawing={drawing} start={null} selected={service.id} onSelect={open} label={label} />
          ) : (
            <Suspense fallback={<Skeleton rows={5} height={40} />}>
              <GraphCanvas drawing={drawing} selected={service.id} onSelect={open} label={label} />
            </Suspense>
          )}
        </div>
      )}
    </Panel>
  );
}
