import { useQuery } from '@tanstack/react-query';
import { readReadiness } from '#console/api/ready.ts';
import { useParts } from '#console/hooks/parts.ts';
import classes from './states.module.css';

/** Why the server answers 503: which of its parts is not well, in its own words. */
export function NotReady() {
  const { root } = useParts();
  const { data } = useQuery({
    queryKey: ['readyz'],
    queryFn: ({ signal }) => readReadiness(root, signal),
    staleTime: 0,
    retry: false,
  });
  const ill = (data?.checks ?? []).filter(({ ok, warn }) => !ok || warn === true);
  if (data === undefined) return null;
  if (ill.length === 0) return <p className={classes.checks}>All its parts are well: it had too much to do.</p>;
  return (
    <ul className={classes.checks} aria-label="What is not well">
      {ill.map(({ name, detail }) => (
        <li key={name}>
          <strong>{name}</strong>: {detail}
        </li>
      ))}
    </ul>
  );
}
