import { Link } from '@tanstack/react-router';
import { useMay } from '#console/hooks/use-me.ts';

/** The name of a CI; it links to the CI for users who may see it. */
export function CiName({ id, name }: { readonly id: string; readonly name: string }) {
  const maySee = useMay('cmdb.read');
  return maySee ? <Link to={`/cis/${id}`}>{name}</Link> : name;
}
