import { Link } from '@tanstack/react-router';
import type { CiRow, States } from '#console/api/cmdb/cmdb.ts';
import { typeWords } from '#console/cis/ci-words.ts';
import { Nothing } from '#console/cis/panels.tsx';
import { StateMark } from '#console/cis/state-mark.tsx';
import rows from '#console/data/rows.module.css';
import type { ServiceShown } from './api.ts';

interface Props {
  readonly service: ServiceShown;
  readonly cis: readonly CiRow[];
  readonly states: States;
}

const redundancyWords = (
  { redundancy_group: group, redundancy_required: required = 1 }: ServiceShown['components'][number],
  all: ServiceShown['components'],
) => {
  if (group === undefined) return null;
  const members = all.filter((one) => one.redundancy_group === group).length;
  return `${required} of ${members} (${group}) is enough`;
};

/** Its components, and their states. */
export function Components({ service, cis, states }: Props) {
  const { components } = service;
  const known = new Map(cis.map((ci) => [ci._id, ci]));
  if (components.length === 0)
    return <Nothing>None. With components its health is known, and groups say when it is hit.</Nothing>;
  return (
    <ul className={rows.rows}>
      {components.map((component) => {
        const { ci_id: id, role } = component;
        const ci = known.get(id);
        const redundancy = redundancyWords(component, components);
        return (
          <li key={id} className={rows.row}>
            <span className={rows.rowMain}>
              <Link to={`/cis/${id}`}>{ci?.name ?? 'a CI that is not known any more'}</Link>
              <span className={rows.rowNote}>
                {[role === 'component' ? null : role, ci && typeWords(ci.type), redundancy].filter(Boolean).join(' · ')}
              </span>
            </span>
            <StateMark state={states[id]} />
          </li>
        );
      })}
    </ul>
  );
}
