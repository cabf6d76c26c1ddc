import { type ReactNode, useEffect, useState } from 'react';
import { openBrowserLive } from '#console/api/live/browser.ts';
import type { Live } from '#console/api/live/live.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { LiveContext } from '#console/hooks/live-context.ts';
import { useMe } from '#console/hooks/use-me.ts';

/** One stream for as long as the same person is signed in. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const { root, session, clock, tenant } = useAppServices();
  const me = useMe();
  const who = `${me.tenant.id} ${me.user._id}`;
  const [live, setLive] = useState<Live | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person has another stream.
  useEffect(() => {
    const opened = openBrowserLive(root, session, clock, tenant.get());
    setLive(opened);
    return opened.close;
  }, [root, session, clock, tenant, who]);
  return live === null ? null : <LiveContext value={live}>{children}</LiveContext>;
}
