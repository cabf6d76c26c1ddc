import { Button, Progress } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useOnce } from '#console/actions/use-once.ts';
import { listGroups } from '#console/api/groups.ts';
import { showError } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Card } from '#console/pages/get-started/card.tsx';
import classes from '#console/pages/get-started/get-started.module.css';
import { type DemoData, readDemo, startDemo } from './api.ts';
import * as text from './texts.ts';

const DEMO = ['demo'] as const;
const LOADING_MS = 700;
/** The group that opens shows hints. */
const HINTS = { hints: '1' } as never;

const isUnderWay = (demo: DemoData | undefined): boolean => demo?.state === 'waiting' || demo?.state === 'loading';
const shareOf = ({ sent, total }: DemoData): number => (total === 0 ? 0 : Math.round((sent / total) * 100));

/** Loads the demo into a tenant of its own, and opens the largest of its groups. */
export function DemoCard({ number }: { readonly number: number }) {
  const { call, tenant } = useAppServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isOpening, setOpening] = useState(false);
  const query = useRead(DEMO, (call, signal) => readDemo(call, signal), {
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? LOADING_MS : false),
  });
  const demo = query.data;

  const [load, isStarting] = useOnce(async () => {
    try {
      queries.setQueryData(DEMO, await startDemo(call));
      await query.refetch();
    } catch (error) {
      showError(text.couldntLoadDemo, error);
    }
  });
  const open = async (name: string): Promise<void> => {
    setOpening(true);
    tenant.choose(name);
    const [largest] = (await listGroups(call, { sortBy: 'size', sortOrder: 'desc', limit: 1 })).groups;
    await navigate({ to: largest === undefined ? '/groups' : `/groups/${largest.correlationId}`, search: HINTS });
  };

  return (
    <Card number={number} title={text.tryDemo}>
      <p>{text.tryDemoHelp}</p>
      {demo?.state === 'ready' && demo.tenant !== null ? (
        <Button loading={isOpening} onClick={() => void open(demo.tenant ?? '')}>
          {text.openLargestGroup}
        </Button>
      ) : null}
      {isUnderWay(demo) && demo !== undefined ? (
        <div className={classes.progress} role="status">
          <Progress value={shareOf(demo)} aria-label={text.demoLoadingProgress} />
          <span>{text.demoProgress(shareOf(demo))}</span>
        </div>
      ) : null}
      {demo?.state === 'none' || demo?.state === 'failed' ? (
        <Button loading={isStarting} onClick={() => void load()}>
          {demo.state === 'failed' ? text.reloadDemo : text.loadDemo}
        </Button>
      ) : null}
    </Card>
  );
}
