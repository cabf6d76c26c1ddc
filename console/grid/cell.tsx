import type { ReactNode } from 'react';

/** A cell of a row that has no columns. */
export function Cell({
  className,
  children,
}: {
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}) {
  return (
    <span role="gridcell" className={className}>
      {children}
    </span>
  );
}
