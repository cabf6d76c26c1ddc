import type { CiFacts, ProvenanceShown } from '#console/api/cmdb/cmdb.ts';
import { fieldWords, valueText } from '#console/cis/ci-words.ts';
import { Nothing } from '#console/cis/panels.tsx';
import { Age } from '#console/facts/age.tsx';
import { SafeLink } from '#console/facts/safe-link.tsx';
import { useMe } from '#console/hooks/use-me.ts';
import classes from './ci.module.css';
import { useProvenance } from './use-ci.ts';

type Claim = ProvenanceShown['attributes'][string];

const SOURCE_WORDS: Readonly<Record<string, string>> = {
  manual: 'written by hand',
  import: 'from an import',
  discovery: 'from a scan',
};

function Source({ claim }: { readonly claim: Claim | undefined }) {
  const me = useMe();
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

const Value = ({ value }: { readonly value: unknown }) => <SafeLink text={valueText(value)} />;

/** Values of the CI with their sources, and other claims. */
export function AttributesPanel({ ci }: { readonly ci: CiFacts }) {
  const provenance = useProvenance(ci._id);
  const attributes = Object.entries(ci.attributes);
  const custom = Object.entries(ci.custom_fields);
  if (attributes.length === 0 && custom.length === 0)
    return <Nothing>Nothing is said of it. A host name or an address lets events find it.</Nothing>;
  return (
    <dl className={classes.attributes}>
      {attributes.map(([name, value]) => (
        <div key={name}>
          <dt>{fieldWords(name)}</dt>
          <dd>
            <Value value={value} />
            <Source claim={provenance.data?.attributes[name]} />
          </dd>
        </div>
      ))}
      {custom.map(([name, value]) => (
        <div key={`custom ${name}`}>
          <dt>{fieldWords(name)}</dt>
          <dd>
            <Value value={value} />
            <span className={classes.source}>custom field</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
