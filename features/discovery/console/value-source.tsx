import { useQuery } from '@tanstack/react-query';
import { valueText } from '#console/cis/ci-words.ts';
import { Age } from '#console/facts/age.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import classes from '#console/pages/ci/ci.module.css';
import { readProvenance } from './api.ts';

const useProvenance = (id: string) => {
  const { call } = useParts();
  return useQuery({
    queryKey: ['cis', 'one', id, 'provenance'],
    queryFn: ({ signal }) => readProvenance(call, id, signal),
  });
};

const SOURCE_WORDS: Readonly<Record<string, string>> = {
  manual: 'written by hand',
  import: 'from an import',
  discovery: 'from a scan',
};

/** The source of a value of a CI, and other claims. */
export function ValueSource({ ci, name }: { readonly ci: string; readonly name: string }) {
  const me = useMe();
  const claim = useProvenance(ci).data?.attributes[name];
  if (claim === undefined) return null;
  const source = SOURCE_WORDS[claim.source] ?? claim.source;
  const by = claim.by === me.user._id ? ', by you' : claim.source === 'discovery' ? ` of ${claim.by}` : '';
  return (
    <span className={classes.source}>
      {source}
      {by}, <Age since={claim.seen_at} after=" ago" />
      {claim.losers.map(({ value, source: other, by: who }) => (
        <span key={`${other} ${who}`} className={classes.loser}>
          {SOURCE_WORDS[other] ?? other}: {valueText(value)}
        </span>
      ))}
    </span>
  );
}
