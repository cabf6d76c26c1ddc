import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listGroups } from '#console/api/groups.ts';
import { useParts } from '#console/hooks/parts.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useMay, useMe } from '#console/hooks/use-me.ts';
import { Notice } from '#console/states/notice.tsx';

const OFFERED = 5;

/** Nothing is chosen yet: the causes of what goes on now are a good beginning. */
export function Start({ address }: { readonly address: Address }) {
  const { call } = useParts();
  const { empty } = useMe();
  const groups = useQuery({
    queryKey: ['groups', 'causes', OFFERED],
    queryFn: ({ signal }) => listGroups(call, { status: 'active', view: 'row', limit: 20 }, signal),
    enabled: useMay('events.read'),
  });
  const causes = new Map(
    (groups.data?.groups ?? []).flatMap(({ rootCause }) =>
      rootCause?.ciId === undefined ? [] : [[rootCause.ciId._id, rootCause.ciId.name] as const],
    ),
  );
  if (empty.cis)
    return (
      <Notice title="No CI is known yet" ways={<Link to="/import">Import what you have</Link>}>
        With CIs and their relationships there is a map.
      </Notice>
    );
  return (
    <Notice
      title="Which CI should the map begin with?"
      ways={[...causes].slice(0, OFFERED).map(([id, name]) => (
        <Button key={id} variant="default" onClick={() => address.change({ ci: id })}>
          {name}
        </Button>
      ))}
    >
      Choose one above{causes.size > 0 ? ', or a cause of what goes on now:' : '.'}
    </Notice>
  );
}
