import { Mark } from '#console/components/mark/mark.tsx';
import { useLive } from '#console/hooks/use-live.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { names } from '#console/text/counts.ts';
import { listSilentSources } from './api.ts';
import * as text from './texts.ts';

const READ_MS = 10_000;

/** Names the sources that stopped sending. */
export function WallSources() {
  const { data = [], refetch } = useRead(['noc', 'silent-sources'], listSilentSources);
  useLive(['events'], () => refetch({ cancelRefetch: false }), undefined, READ_MS);
  if (data.length === 0) return null;
  const titles = data.map(({ title }) => title);
  return <Mark kind="caution">{text.noDataFrom(names(titles, titles.length))}</Mark>;
}
