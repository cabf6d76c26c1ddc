import type { GroupRow } from '#console/api/groups.ts';
import { titleOf, titleSubject } from '#console/text/group-text.ts';

interface Props {
  readonly group: Pick<GroupRow, 'title' | 'causeName'>;
  /** Style of the subject. */
  readonly className?: string | undefined;
}

/** The title of a group, or of an event in none, behind the CI or host that it is about. */
export function GroupTitle({ group, className }: Props) {
  const subject = titleSubject(group);
  return (
    <>
      {subject === null ? null : <span className={className}>{subject}: </span>}
      <bdi>{titleOf(group)}</bdi>
    </>
  );
}
