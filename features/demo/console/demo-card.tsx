import { Button, Progress } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useOnce } from '#console/actions/use-once.ts';
import { listGroups } from '#console/api/groups.ts';
import { sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { Card } from '#console/pages/start/card.tsx';
import classes from '#console/pages/start/start.module.css';
import { type DemoShown, readDemo, startDemo } from './api.ts';

const DEMO = ['demo'] as const;
const LOADING_MS = 700;
/** The group that opens says what to look at. */
const HINTS = { hints: '1' } as never;

const isUnderWay = (demo: DemoShown | undefined): boolean => demo?.state === 'waiting' || demo?.state === 'loading';
const shareOf = ({ sent, total }: DemoShown): number => (total === 0 ? 0 : Math.round((sent / total) * 100));

/** Loads the demo into a tenant of its own, and opens the largest of its groups. */
export function DemoCard({ number }: { readonly number: number }) {
  const { call, tenant } = useParts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isOpening, setOpening] = useState(false);
  const query = useQuery({
    queryKey: DEMO,
    queryFn: ({ signal }) => readDemo(call, signal),
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? LOADING_MS : false),
  });
  const demo = query.data;

  const [load, isStarting] = useOnce(async () => {
    try {
      queries.setQueryData(DEMO, await startDemo(call));
      await query.refetch();
    } catch (error) {
      sayFailure('The demo could not be loaded', error);
    }
  });
  const open = async (name: string): Promise<void> => {
    setOpening(true);
    tenant.choose(name);
    const [largest] = (await listGroups(call, { sortBy: 'size', sortOrder: 'desc', limit: 1 })).groups;
    await navigate({ to: largest === undefined ? '/groups' : `/groups/${largest.correlationId}`, search: HINTS });
  };

  return (
    <Card number={number} title="See it work">
      <p>Twelve hours of a small company, sent by its monitors, in a tenant of its own. Yours stays empty.</p>
      {demo?.state === 'ready' && demo.tenant !== null ? (
        <Button loading={isOpening} onClick={() => void open(demo.tenant ?? '')}>
          Open the largest fault of the demo
        </Button>
      ) : null}
      {isUnderWay(demo) && demo !== undefined ? (
        <div className={classes.progress} role="status">
          <Progress value={shareOf(demo)} aria-label="How much of the demo is loaded" />
          <span>{shareOf(demo)} %; less than half a minute on most machines</span>
        </div>
      ) : null}
      {demo?.state === 'none' || demo?.state === 'failed' ? (
        <Button loading={isStarting} onClick={() => void load()}>
          {demo.state === 'failed' ? 'Load the demo once more' : 'Load the demo'}
        </Button>
      ) : null}
    </Card>
  );
}
