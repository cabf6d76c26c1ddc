import { type Query, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { openBrowserLive } from '#console/api/live/browser.ts';
import { EVERYTHING } from '#console/api/live/changes.ts';
import type { Live } from '#console/api/live/live.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { LiveContext } from '#console/hooks/live-context.ts';
import { useMe } from '#console/hooks/use-me.ts';

const FAILED = { type: 'active', predicate: ({ state }: Query) => state.status === 'error' } as const;

/** One stream for as long as the same person is signed in. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const { root, session, clock, tenant } = useAppServices();
  const me = useMe();
  const queries = useQueryClient();
  const who = `${me.tenant.id} ${me.user._id}`;
  const [live, setLive] = useState<Live | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person has another stream.
  useEffect(() => {
    const opened = openBrowserLive(root, session, clock, tenant.get());
    // Hidden pages receive no changes: their data is stale when they are opened again.
    const forget = () => void queries.invalidateQueries({ type: 'inactive', refetchType: 'none' });
    for (const topic of EVERYTHING.keys()) opened.on(topic, forget);
    // Reads that failed without a server are repeated as soon as it is back.
    let kind = opened.state().kind;
    opened.subscribe(() => {
      const before = kind;
      kind = opened.state().kind;
      if (kind === 'live' && before !== 'live') void queries.refetchQueries(FAILED);
    });
    setLive(opened);
    return opened.close;
  }, [root, session, clock, tenant, queries, who]);
  return live === null ? null : <LiveContext value={live}>{children}</LiveContext>;
}
