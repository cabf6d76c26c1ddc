import { valueText } from '#console/cis/ci-words.ts';
import { Age } from '#console/components/age.tsx';
import { useMe } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import classes from '#console/pages/ci/ci.module.css';
import { readProvenance } from './api.ts';
import * as text from './texts.ts';

const useProvenance = (id: string) => {
  return useRead(['cis', 'one', id, 'provenance'], (call, signal) => readProvenance(call, id, signal));
};

const SOURCE_WORDS: Readonly<Record<string, string>> = {
  manual: text.editedManually,
  import: 'import',
  discovery: text.discoveryScan,
};

/** The source of a value of a CI, and other claims. */
export function ValueSource({ ci, name }: { readonly ci: string; readonly name: string }) {
  const me = useMe();
  const claim = useProvenance(ci).data?.attributes[name];
  if (claim === undefined) return null;
  const source = SOURCE_WORDS[claim.source] ?? claim.source;
  const by = claim.by === me.user._id ? text.byYou : claim.source === 'discovery' ? text.by(claim.by) : '';
  return (
    <span className={classes.source}>
      {source}
      {by}, <Age since={claim.seen_at} />
      {claim.losers.map(({ value, source: other, by: who }) => (
        <span key={`${other} ${who}`} className={classes.loser}>
          {SOURCE_WORDS[other] ?? other}: {valueText(value)}
        </span>
      ))}
    </span>
  );
}
