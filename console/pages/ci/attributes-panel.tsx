import type { CiFacts } from '#console/api/cmdb/cmdb.ts';
import { fieldWords, valueText } from '#console/cis/ci-words.ts';
import { Nothing } from '#console/cis/panels.tsx';
import { SafeLink } from '#console/facts/safe-link.tsx';
import { useSlot } from '#console/slots/feature.ts';
import classes from './ci.module.css';

const Value = ({ value }: { readonly value: unknown }) => <SafeLink text={valueText(value)} />;

/** Values of the CI. */
export function AttributesPanel({ ci }: { readonly ci: CiFacts }) {
  const beside = useSlot('ciValueParts');
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
            {beside.map(({ id, Part }) => (
              <Part key={id} ci={ci._id} name={name} />
            ))}
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
