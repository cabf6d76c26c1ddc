import { Button, Checkbox, Popover } from '@mantine/core';
import { readTypes } from '#console/api/cmdb/cmdb.ts';
import { Icon } from '#console/components/icon.tsx';
import { switched } from '#console/data/filters.ts';
import classes from '#console/data/views/views.module.css';
import type { Address } from '#console/hooks/use-address.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { count, number, plain } from '#console/text/counts.ts';
import { CAUSE_TYPES } from '#domain/topology/topology.ts';
import * as text from './texts.ts';

const MOST = 40;

const OF_FAULTS: ReadonlySet<string> = new Set(CAUSE_TYPES);

interface Props {
  readonly types: readonly string[];
  /** True if only relationships that spread faults apply. */
  readonly isOfFaults: boolean;
  /** Kinds on the map, which are offered first. */
  readonly drawn: ReadonlySet<string>;
  readonly address: Address;
}

/** Kinds of relationships that the map follows. */
export function TypesMenu({ types, isOfFaults, drawn, address }: Props) {
  const known = useRead(['cis', 'types'], (call, signal) => readTypes(call, signal));
  const choices = (known.data?.relationship_types ?? [])
    .filter(({ type, count: uses }) => types.includes(type) || (uses > 0 && (!isOfFaults || OF_FAULTS.has(type))))
    .toSorted((a, b) => Number(drawn.has(b.type)) - Number(drawn.has(a.type)) || b.count - a.count)
    .slice(0, MOST);
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="subtle" color="gray" rightSection={<Icon name="down" size={12} />}>
          {types.length === 0 ? text.allRelationships : count(types.length, 'relationship type')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <ul className={classes.list} aria-label={text.relationshipTypes}>
          {choices.map((one) => (
            <li key={one.type} className={classes.row}>
              <Checkbox
                label={`${plain(one.type)} (${number(one.count)})`}
                className={classes.grows ?? ''}
                checked={types.includes(one.type)}
                onChange={() => address.change({ types: switched(address.query.types, one.type) })}
              />
            </li>
          ))}
        </ul>
        <div className={classes.foot}>
          <Button variant="subtle" disabled={types.length === 0} onClick={() => address.change({ types: null })}>
            {text.followAll}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
